/* process.c: fork, vfork, exec, exit.
 *
 *  (1) The last word (statistics, the tool's report) is said once per process image: at exit, at death by a signal, or
 *      before an exec; never by a vfork child, which borrows its parent's memory. */
#include "engine/emulate/process.h"
#include "base/heap.h"
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/client.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/detach.h"
#include "engine/emulate/exec.h"
#include "engine/emulate/expose.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/emulate/stop.h"
#include "engine/emulate/views.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/jit/lessons.h"
#include "engine/jit/optreport.h"
#include "engine/jit/promote.h"
#include "engine/log.h"
#include "engine/outfile.h"
#include "engine/stats.h"
#include "loader/rt.h"

static u32 has_spoken;
static bool is_forked;                           /* a child that nobody asked to follow */

bool proc_wants_last_word(void) { return opt->stats != STATS_OFF || hooks.fini; }

static long fini(void *status)
{
    if (hooks.fini)
        hooks.fini((int)(long)status);
    rt_exit_flush();
    return 0;
}

/* A report that leaves something out says so. Without a report the program's stderr stays its own. */
static void tell_not_followed(void)
{
    u64 n = family->not_followed;
    if (n && !opt->quiet && (proc_wants_last_word() || opt->verbose))
        ct_print(log_stderr(), "cotter: %lu program%s started by this one ran natively%s\n", n, n == 1 ? "" : "s",
                 opt->follow ? "" : "; -f follows them");
}

void proc_last_word(int status)
{
    if (thr_self.vfork || __atomic_exchange_n(&has_spoken, 1, __ATOMIC_ACQ_REL))
        return;
    if (hooks.fini)
        arch_call_hosted(fini, (void *)(long)status);
    optreport_print();
    log_dump_missing();
    if (opt->stats != STATS_OFF && (!is_forked || opt->follow))
        stats_report();
    if (!is_forked)
        tell_not_followed();
}

void proc_exit(int status)
{
    proc_last_word(status);
    for (;;)
        sys1(__NR_exit_group, status);
}

long sys_exit_group(struct thread *t, struct syscall_args *a)
{
    proc_last_word((int)a->a[0] & 0xff);
    expose_robust_list();
    return SYS_PASS;
}

/* rseq: refused. The kernel would restart a critical section by its address in the application, which never runs;
 * libraries fall back when the call is missing. A process that was attached to has had it, and its libc counts on it for
 * new threads: there the registration is noted only, and made when the process goes on natively. Until then the area says,
 * as before any registration, that the CPU is not known. */
static long note_rseq(struct thread *t, const struct rseq_registration *r, u64 flags)
{
    enum { UNREGISTER = 1 };
    bool is_same = r->at == t->rseq.at && r->size == t->rseq.size;
    if (flags & ~(u64)UNREGISTER)
        return -E_INVAL;
    if (t->rseq.at && !is_same)
        return -E_INVAL;
    if (t->rseq.at && r->signature != t->rseq.signature)
        return -E_PERM;
    if (!(flags & UNREGISTER) == (t->rseq.at != 0))
        return t->rseq.at ? -E_BUSY : -E_INVAL;
    t->rseq = flags & UNREGISTER ? (struct rseq_registration){ 0 } : *r;
    return 0;
}

long sys_rseq(struct thread *t, struct syscall_args *a)
{
    struct rseq_registration r = { (addr_t)a->a[0], (u32)a->a[1], (u32)a->a[3] };
    return engine_handoff->mode == HANDOFF_ATTACH ? note_rseq(t, &r, (u64)(u32)a->a[2]) : -E_NOSYS;
}

/* ---- fork ---- */
struct fork_call { struct thread *t; struct syscall_args *a; };

static long raw_fork(void *p)
{
    struct fork_call *f = p;
    struct syscall_args *a = f->a;
    return sys_raw6(a->nr, a->a[0], a->a[1], a->a[2], a->a[3], a->a[4], a->a[5]);
}

static long fork_in_libc(void *p) { return rt_fork(raw_fork, p); }

void proc_locks_take(struct thread *t)
{
    cache_lock_take();
    lock_take(&t->proc->lock);
    lock_take(thr_lock());
    lock_take(heap_lock());
}

void proc_locks_drop(struct thread *t)
{
    lock_drop(heap_lock());
    lock_drop(thr_lock());
    lock_drop(&t->proc->lock);
    cache_lock_drop();
}

static void reset_in_child(struct thread *t)
{
    lock_new_owner(0);
    heap_after_fork();
    lock_reset(&t->proc->lock);
    cache_lock_reset();
    promote_forked();
    lessons_forked();
    mem_after_fork();
    thr_only_survivor(t);
    stop_forked();
    outfile_forked();
    log_forked();
    is_forked = true;
    has_spoken = 0;
    memset(&t->async, 0, sizeof t->async);
    t->held = t->lent = 0;
    memset(t->proc->held, 0, sizeof t->proc->held);
    t->filter.is_on = false;
    t->vfork = NULL;                              /* a vfork child that forks has a child with memory of its own */
}

long proc_sys_fork(struct thread *t, struct syscall_args *a, const struct child_start *c)
{
    struct fork_call call = { t, a };
    if (a->nr == __NR_clone) {
        a->a[0] &= ~(long)0x80000;               /* CLONE_SETTLS: done by hand below */
        a->a[1] = 0;
    }
    lessons_learn(&t->arch);
    hook_fork(t, FORK_BEFORE);
    smc_meet_relatives();                         /* shared code is the child's as well from now on */
    proc_locks_take(t);
    long r = arch_call_hosted(fork_in_libc, &call);
    if (r == 0) {
        reset_in_child(t);
        hook_fork(t, FORK_CHILD);
        if (c->clears_actions)
            sig_clear_actions(t->proc);
        if (c->tls)
            arch_set_app_tls(&t->arch, *c->tls);
        if (c->sp)
            arch_set_sp(&t->arch.regs, c->sp);
        return 0;
    }
    proc_locks_drop(t);
    log_event("fork: %ld", r);
    hook_fork(t, FORK_PARENT);
    return r;
}

/* ---- vfork: the child runs in this thread's place until it execs or exits ---- */
struct vfork_record {
    struct thread saved;                          /* what the parent gets back */
    struct syscall_args args;
    u8 call_struct[128];                          /* clone3: the kernel reads its arguments from here */
    addr_t next_pc;
    struct child_start child;
    u64 tls, parent_mask;
    void *left;                                   /* what an exec of the child did not come back to free */
    size_t left_size;
};

void proc_leave_behind(void *p, size_t size)
{
    struct vfork_record *v = thr_self.vfork;
    if (v)
        v->left = p, v->left_size = size;
}

long proc_sys_vfork(struct thread *t, struct syscall_args *a, const struct child_start *c)
{
    struct vfork_record *v = heap_alloc(sizeof *v);
    v->args = *a;
    if (a->nr == __NR_clone3) {
        memcpy(v->call_struct, (void *)a->a[0], MIN((size_t)a->a[1], sizeof v->call_struct));
        v->args.a[0] = (long)v->call_struct;
    } else {
        v->args.a[1] = 0;
    }
    v->child = *c;
    v->next_pc = arch_pc(&t->arch.regs) + t->insn_len;
    v->tls = c->tls ? *c->tls : 0;
    v->saved = *t;
    u64 full = ~0ull;
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &full, &v->parent_mask, 8);
    struct process *copy = heap_alloc(sizeof *copy);
    *copy = *t->proc;
    memset(copy->held, 0, sizeof copy->held);
    lock_reset(&copy->lock);
    t->vfork = v;
    t->proc = copy;
    arch_vfork(&v->args);
}

/* The tool's memory is as the child left it, in the middle of a routine, perhaps with locks of the tool's own that nobody will give back.
 * The program needs no tool: it goes on, natively as soon as all threads can leave. */
static void lose_tool(u32 dead)
{
    static bool is_said;                          /* a child of another thread may have been about to call it, too */
    client_lock_take_over();
    hooks_lose();
    if (__atomic_exchange_n(&is_said, true, __ATOMIC_SEQ_CST))
        return;
    ct_print(log_stderr(), "cotter: the child %u was killed while the tool looked at its code, in the memory that it borrowed (vfork): "
             "the tool's report is lost, and the program goes on without it\n", dead);
}

/* The child may have been killed at any instruction, with locks that nobody else would give back. What was half done to the
 * cache cannot be told, so the cache begins anew; other threads go on in the old one, which leads out. */
static void take_over_from(u32 dead)
{
    bool is_tool_lost = client_lock_died_with(dead);
    lock_wake_for();
    heap_take_over(dead);
    if (lock_died_with(thr_lock(), dead)) {
        lock_inherit(thr_lock());
        lock_drop(thr_lock());
    }
    stop_take_over(dead);
    if (is_tool_lost)
        lose_tool(dead);
    bool is_map_lost = mem_take_over(dead), has_lock = cache_lock_take_over(dead);
    if (LIKELY(!is_map_lost && !has_lock && !is_tool_lost))
        return;
    if (!has_lock)
        cache_lock_take();
    cache_recover();
    views_change();
    smc_recover();
    mem_recover();
    cache_lock_drop();
    log_event("vfork child %u was killed in the engine", dead);
}

static void vfork_parent(struct thread *t, struct vfork_record *v, long result)
{
    struct process *copy = t->proc;
    struct thread now = *t;
    lock_new_owner((u32)v->saved.tid);
    if (result > 0)
        take_over_from((u32)result);
    *t = v->saved;
    t->next = now.next;                           /* other threads may have come and gone meanwhile */
    t->prev = now.prev;
    heap_free(copy, sizeof *copy);
    if (v->left)
        heap_free(v->left, v->left_size);
    arch_sys_result(&t->arch, result, v->next_pc);
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &v->parent_mask, 0, 8);
    heap_free(v, sizeof *v);
    if (hooks_are_lost())
        detach_request();
}

static void vfork_child(struct thread *t, struct vfork_record *v)
{
    t->tid = sys_gettid();
    lock_new_owner((u32)t->tid);
    t->arch.pending = 0;
    t->filter.is_on = false;
    t->pend.sig = t->async.sig = 0;
    arch_sys_result(&t->arch, 0, v->next_pc);
    if (v->child.sp)
        arch_set_sp(&t->arch.regs, v->child.sp);
    if (v->child.tls)
        arch_set_app_tls(&t->arch, v->tls);
    if (v->child.clears_actions)
        sig_clear_actions(t->proc);
    struct k_stack ss = { (u64)t->sigstack, 0, 0, t->sigstack_size };
    sys2(__NR_sigaltstack, &ss, 0);
    sig_set_mask(t, t->app_mask);
}

u8 *disp_resume(struct thread *t);

u8 *disp_after_vfork(struct thread *t, long result)
{
    struct vfork_record *v = t->vfork;
    if (result == 0)
        vfork_child(t, v);
    else
        vfork_parent(t, v, result);
    if (result != 0 && !hooks_are_lost())
        hook_syscall_exit(t, SYSCALL_PLAIN);
    return disp_resume(t);
}

/* ---- exec ---- */
long proc_sys_exec(struct thread *t, const struct syscall_args *a)
{
    u64 full_mask = t->app_mask;
    bool is_child_going_native = is_forked && !opt->follow;
    struct exec_plan plan;
    exec_decide(a, &plan);
    u64 leaves = !plan.is_followed;               /* counted before the last word: the program may itself be the one that leaves */
    __atomic_add_fetch(&family->not_followed, leaves, __ATOMIC_RELAXED);
    if (plan.may_succeed && !is_child_going_native)
        proc_last_word(0);
    sig_give_back(t->proc);
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &full_mask, 0, 8);
    long r = exec_perform(a, &plan);
    stop_resume(t);
    __atomic_sub_fetch(&family->not_followed, leaves, __ATOMIC_RELAXED);
    has_spoken = 0;                               /* it failed after all: there is more to say at the end */
    sig_set_mask(t, t->app_mask);
    sig_process_restore(t->proc);
    return r;
}
