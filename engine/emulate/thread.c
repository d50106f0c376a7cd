/* thread.c: application threads come and go.
 *
 * A thread's memory (private TLS, engine stack, handler stack) is in use until its very last instruction, so it cannot
 * free it itself: it leaves a note, and the next thread that is created or ends picks it up.
 *  (1) `all` and `dead` are guarded by `mutex`. */
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/expose.h"
#include "engine/emulate/process.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/hooks.h"
#include "engine/log.h"
#include "engine/jit/promote.h"
#include "engine/stats.h"
#include "loader/rt.h"

/* As much as the first thread has: tools keep large arrays on it. Only what is touched is memory. Below it is a page that cannot be
 * written, or a routine that needs more would write into what is somebody else's. */
enum { STACK_SIZE = HANDOFF_STACK_SIZE + PAGE_SIZE };
enum { CLONE_VM = 0x100, CLONE_FS = 0x200, CLONE_FILES = 0x400, CLONE_SIGHAND = 0x800, CLONE_VFORK = 0x4000, CLONE_THREAD = 0x10000, CLONE_SYSVSEM = 0x40000, CLONE_SETTLS = 0x80000,
       CLONE_PARENT_SETTID = 0x100000, CLONE_CHILD_CLEARTID = 0x200000, CLONE_CHILD_SETTID = 0x1000000 };
#define CLONE_CLEAR_SIGHAND 0x100000000ull

/* Vector registers are loaded from it: its place must be aligned as the CPU wants it. */
enum { CONTEXT_ROOM = ROUND_UP(sizeof(struct arch_context), PAGE_SIZE) };

__thread struct thread thr_self __attribute__((aligned(64)));

static struct lock mutex;
static struct thread *all;
static u32 n_all, n_ending;                       /* ending: on their way out, still in the list */

struct remains { struct remains *next; struct rt_thread *rt; u8 *stack, *sigstack; size_t stack_size, sigstack_size; u32 done; };
static struct remains *dead;

struct lock *thr_lock(void) { return &mutex; }
struct thread *thr_first(void) { return all; }
u32 thr_count(void) { return n_all; }
bool thr_alone(void) { return n_all == 1; }

bool thr_shares_memory(int tid)
{
    enum { KCMP_VM = 1 };
    long r = sys5(__NR_kcmp, sys_gettid(), tid, KCMP_VM, 0, 0);
    return r == 0 || (r < 0 && r != -E_SRCH);     /* a kernel without kcmp */
}

/* Numbers of threads, the lowest free one first. Beyond the table all share the last. */
enum { MAX_INDEX = 8192 };
static u64 index_used[MAX_INDEX / 64] = { 1 };      /* 0 is the initial thread, whenever it comes */

static u32 index_take(void)
{
    for (u32 i = 0; i < ARRAY_LEN(index_used); i++)
        if (~index_used[i]) {
            u32 b = (u32)__builtin_ctzll(~index_used[i]);
            index_used[i] |= 1ull << b;
            return i * 64 + b;
        }
    return MAX_INDEX - 1;
}

static void index_give(u32 i) { index_used[i / 64] &= ~(1ull << i % 64); }

u32 thr_take_index(void)
{
    lock_take(&mutex);
    u32 i = index_take();
    lock_drop(&mutex);
    return i;
}

void thr_give_index(u32 index)
{
    lock_take(&mutex);
    index_give(index);
    lock_drop(&mutex);
}

void thr_attach_locked(struct thread *t)
{
    t->index = index_take();
    t->prev = NULL;
    t->next = all;
    if (all)
        all->prev = t;
    all = t;
    n_all++;
}

void thr_attach_list(struct thread *t)
{
    lock_take(&mutex);
    thr_attach_locked(t);
    lock_drop(&mutex);
}

void thr_detach_list(struct thread *t)
{
    lock_take(&mutex);
    index_give(t->index);
    if (t->prev)
        t->prev->next = t->next;
    else
        all = t->next;
    if (t->next)
        t->next->prev = t->prev;
    n_all--;
    n_ending -= t->is_ending;
    lock_drop(&mutex);
}

u64 thr_oldest_epoch(void)
{
    u64 oldest = ~0ull;
    lock_take(&mutex);
    for (struct thread *t = all; t; t = t->next) {
        u64 e = __atomic_load_n(&t->epoch, __ATOMIC_ACQUIRE);
        if (e && e < oldest)
            oldest = e;
    }
    lock_drop(&mutex);
    return oldest;
}

void thr_only_survivor(struct thread *t)
{
    lock_reset(&mutex);
    all = t;
    t->next = t->prev = NULL;
    n_all = 1;
    n_ending = t->is_ending = false;
    memset(index_used, 0, sizeof index_used);
    index_used[t->index / 64] = 1ull << t->index % 64;
    dead = NULL;                                  /* the memory of the parent's other threads is lost, not used */
    t->tid = sys_gettid();
}

void thr_init_main(int tid)
{
    struct thread *t = &thr_self;
    t->tid = tid;
    t->proc = heap_alloc(sizeof *t->proc);
    thr_attach_list(t);
    thr_give_index(t->index);
    t->index = 0;
    stats.threads = 1;
}

static u8 *stack_new(void)
{
    u8 *stack = heap_try_pages(STACK_SIZE);
    if (stack)
        sys3(__NR_mprotect, stack, PAGE_SIZE, 0);
    return stack;
}

static void stack_free(u8 *stack, size_t size)
{
    sys3(__NR_mprotect, stack, PAGE_SIZE, K_PROT_READ | K_PROT_WRITE);
    heap_free_pages(stack, size);
}

/* ---- the remains of ended threads ---- */
static void bury(struct remains *r)
{
    stack_free(r->stack, r->stack_size);
    heap_free_pages(r->sigstack, r->sigstack_size);
    if (r->rt)
        rt_thread_free(r->rt);
    heap_free(r, sizeof *r);
}

static long bury_all(void *unused)
{
    lock_take(&mutex);
    struct remains *list = dead, *later = NULL;
    dead = NULL;
    lock_drop(&mutex);
    while (list) {
        struct remains *next = list->next;
        if (__atomic_load_n(&list->done, __ATOMIC_ACQUIRE)) {
            bury(list);
        } else {
            list->next = later;
            later = list;
        }
        list = next;
    }
    lock_take(&mutex);
    while (later) {
        struct remains *next = later->next;
        later->next = dead;
        dead = later;
        later = next;
    }
    lock_drop(&mutex);
    return 0;
}

/* ---- birth ---- */
static long new_rt(void *unused)
{
    bury_all(NULL);
    return (long)rt_thread_new();
}

struct thread *thr_new(void)
{
    struct rt_thread *rt = (void *)arch_call_hosted(new_rt, NULL);
    if (!rt)
        return NULL;
    struct thread *c = arch_thread_at(rt_thread_fs(rt));
    memset(c, 0, sizeof *c);
    c->rt = rt;
    c->stack_size = STACK_SIZE;
    c->stack = stack_new();
    if (!c->stack) {                             /* no memory is the program's own affair: its clone fails, as natively */
        rt_thread_free(rt);
        return NULL;
    }
    c->arch.engine_sp = (u64)c->stack + STACK_SIZE - 64;
    arch_stack_init(&c->arch);
    return c;
}

static struct thread *prepare(struct thread *t, u64 flags, addr_t sp, addr_t next_pc)
{
    struct thread *c = thr_new();
    if (!c)
        return NULL;
    arch_inherit(&c->arch, &t->arch);
    arch_sys_result(&c->arch, 0, next_pc);
    if (sp)
        arch_set_sp(&c->arch.regs, sp);
    c->app_mask = t->app_mask;
    c->unblocked = t->unblocked;
    c->seccomp = t->seccomp;
    c->parent_tid = t->tid;
    c->clone_flags = flags;
    c->proc = t->proc;
    if (!(flags & CLONE_SIGHAND)) {
        c->proc = heap_alloc(sizeof *c->proc);
        *c->proc = *t->proc;
        memset(c->proc->held, 0, sizeof c->proc->held);
        lock_reset(&c->proc->lock);
    }
    return c;
}

static void unprepare(struct thread *c)
{
    stack_free(c->stack, c->stack_size);
    if (c->first_context)
        heap_free_pages(c->first_context, CONTEXT_ROOM);
    struct rt_thread *rt = c->rt;
    rt_thread_free(rt);
}

static u64 block_all(void)
{
    u64 old, full = ~0ull;
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &full, &old, 8);
    return old;
}

/* `a` is the kernel's call, complete but for the stack and the thread pointer. */
static long start_thread(struct thread *t, struct syscall_args *a, struct thread *c, const u64 *tls)
{
    promote_not_alone();
    thr_attach_list(c);
    stats.threads++;
    u64 mask = block_all();
    long r = arch_clone_thread(a, (u8 *)c->arch.engine_sp, rt_thread_fs(c->rt), tls);
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &mask, 0, 8);
    if (r < 0) {
        thr_detach_list(c);
        unprepare(c);
    }
    return r;
}

static long enter_rt(void *p)
{
    struct thread *t = p;
    rt_thread_enter(t->rt ? t->rt : rt_thread_main(), t->tid);
    return 0;
}

void thr_enter_rt(struct thread *t) { arch_call_hosted(enter_rt, t); }

/* On the thread itself: its vector registers and thread pointer are the CPU's by now. */
static void take_context(struct thread *t)
{
    arch_context_put(t, t->first_context);
    heap_free_pages(t->first_context, CONTEXT_ROOM);
    t->first_context = NULL;
}

/* First C code of a new thread, on its engine stack, all signals blocked. */
void thr_child_start(struct thread *t)
{
    t->tid = sys_gettid();
    sig_init_thread(t);
    if (t->clone_flags & CLONE_CLEAR_SIGHAND)
        sig_clear_actions(t->proc);
    thr_enter_rt(t);
    if (t->first_context)
        take_context(t);
    log_event("thread starts");
    hook_thread_start(t);
    sig_set_mask(t, t->app_mask);
}

/* ---- clone and its relatives ---- */
static addr_t next_pc(struct thread *t) { return arch_pc(&t->arch.regs) + t->insn_len; }

/* Thread ids that the kernel writes; it does not mind if it cannot. */
static void note_tid_words(struct thread *c, u64 flags, addr_t parent_tid, addr_t child_tid)
{
    if (flags & CLONE_PARENT_SETTID)
        smc_expose(parent_tid, 4);
    if (flags & CLONE_CHILD_SETTID)
        smc_expose(child_tid, 4);
    c->clear_tid = flags & CLONE_CHILD_CLEARTID ? child_tid : 0;
}

long sys_clone(struct thread *t, struct syscall_args *a)
{
    u64 flags = (u32)a->a[0], tls = (u64)a->a[4];
    addr_t sp = (addr_t)a->a[1];
    struct child_start start = { sp, flags & CLONE_SETTLS ? &tls : NULL, false };
    if (!(flags & CLONE_VM))
        return proc_sys_fork(t, a, &start);
    a->a[0] = (long)(flags & ~(u64)CLONE_SETTLS);
    if (flags & CLONE_VFORK)
        return proc_sys_vfork(t, a, &start);
    struct thread *c = prepare(t, flags, sp, next_pc(t));
    if (!c)
        return -E_AGAIN;
    note_tid_words(c, flags, (addr_t)a->a[2], (addr_t)a->a[3]);
    a->a[1] = (long)arch_clone_sp((u8 *)c->arch.engine_sp);
    return start_thread(t, a, c, start.tls);
}

struct clone_args { u64 flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup; };

long sys_clone3(struct thread *t, struct syscall_args *a)
{
    struct clone_args c = { 0 };
    u64 size = (u64)a->a[1];
    if (size < 64)
        return -E_INVAL;
    if (size > PAGE_SIZE)
        return -E_2BIG;
    if (!mem_copy_safely(&c, (void *)a->a[0], MIN(size, sizeof c)))
        return -E_FAULT;
    for (u64 at = sizeof c; at < size; at++) {   /* fields that this engine does not know: as a kernel that does not */
        u8 byte;
        if (!mem_copy_safely(&byte, (void *)((addr_t)a->a[0] + at), 1))
            return -E_FAULT;
        if (byte)
            return -E_2BIG;
    }
    if (!c.stack != !c.stack_size || c.stack + c.stack_size < c.stack)
        return -E_INVAL;
    size = MIN(size, sizeof c);
    u64 flags = c.flags, tls = c.tls;
    addr_t sp = c.stack ? c.stack + c.stack_size : 0;
    struct syscall_args k = { .nr = a->nr, .a = { (long)&c, (long)size } };
    struct child_start start = { sp, flags & CLONE_SETTLS ? &tls : NULL, (flags & CLONE_CLEAR_SIGHAND) != 0 };
    if (start.clears_actions && flags & CLONE_SIGHAND)
        return -E_INVAL;
    c.flags &= ~(CLONE_SETTLS | CLONE_CLEAR_SIGHAND);   /* the kernel would clear the engine's handlers as well */
    c.stack = c.stack_size = 0;
    if (!(flags & CLONE_VM))
        return proc_sys_fork(t, &k, &start);
    if (flags & CLONE_VFORK)
        return proc_sys_vfork(t, &k, &start);
    struct thread *child = prepare(t, flags, sp, next_pc(t));
    if (!child)
        return -E_AGAIN;
    note_tid_words(child, flags, c.parent_tid, c.child_tid);
    c.stack = (u64)child->stack;
    c.stack_size = arch_clone_sp((u8 *)child->arch.engine_sp) - c.stack;
    return start_thread(t, &k, child, start.tls);
}

long sys_fork(struct thread *t, struct syscall_args *a)
{
    struct syscall_args k = { .nr = __NR_clone, .a = { K_SIGCHLD } };
    return proc_sys_fork(t, &k, &(struct child_start){ 0 });
}

long sys_vfork(struct thread *t, struct syscall_args *a)
{
    struct syscall_args k = { .nr = __NR_clone, .a = { CLONE_VM | CLONE_VFORK | K_SIGCHLD } };
    return proc_sys_vfork(t, &k, &(struct child_start){ 0 });
}

long thr_spawn(struct thread *t, const struct arch_context *c)
{
    enum { FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM };
    struct syscall_args k = { .nr = __NR_clone, .a = { FLAGS } };
    struct thread *child = prepare(t, FLAGS, 0, 0);
    if (!child)
        return -E_AGAIN;
    child->first_context = heap_pages(CONTEXT_ROOM);
    arch_context_copy(child->first_context, c);
    k.a[1] = (long)arch_clone_sp((u8 *)child->arch.engine_sp);
    return start_thread(t, &k, child, NULL);
}

/* ---- death ---- */
static long exit_rt(void *p)
{
    bury_all(NULL);
    struct thread *t = p;
    if (t->rt)
        rt_thread_exit(t->rt);
    return 0;
}

long sys_set_tid_address(struct thread *t, struct syscall_args *a)
{
    t->clear_tid = (addr_t)a->a[0];
    return SYS_PASS;
}

/* Of threads that end at the same time exactly one is the last, and speaks for the process. */
static bool is_last_to_end(struct thread *t)
{
    lock_take(&mutex);
    t->is_ending = true;
    bool is_last = ++n_ending == n_all;
    lock_drop(&mutex);
    return is_last;
}

long sys_exit(struct thread *t, struct syscall_args *a)
{
    if (t->vfork)
        return SYS_PASS;
    if (is_last_to_end(t)) {
        while (!thr_alone())
            sys0(__NR_sched_yield);
        proc_exit((int)a->a[0]);
    }
    hook_thread_fini(t, (int)a->a[0]);
    arch_call_hosted(exit_rt, t);
    block_all();
    struct remains *r = heap_alloc(sizeof *r);
    *r = (struct remains){ NULL, t->rt, t->stack, t->sigstack, t->stack_size, t->sigstack_size, 0 };
    stats_thread_ends(t);
    arch_thread_release(&t->arch);
    log_event("thread ends");
    thr_detach_list(t);
    smc_expose(t->clear_tid, 4);
    expose_robust_list();
    if (!t->rt)                                   /* the main thread's memory belongs to the process */
        arch_thread_end(&r->done, (int)a->a[0]);
    lock_take(&mutex);
    r->next = dead;
    dead = r;
    lock_drop(&mutex);
    arch_thread_end(&r->done, (int)a->a[0]);
}

void thr_exit(struct thread *t, int status)
{
    struct syscall_args a = { .nr = __NR_exit, .a = { status } };
    sys_exit(t, &a);
    for (;;)                                      /* a vfork child */
        sys1(__NR_exit, status);
}
