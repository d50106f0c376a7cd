/* attach.c: see attach.h.
 *
 *  (1) Until the launcher has stopped all threads, nothing of the process changes but the private range and the tables.
 *  (2) The kernel's signal handlers change while no thread of the application runs, and when all of them are at the gate:
 *      whoever runs afterwards is the engine's. If the launcher dies before that, they go on natively from there.
 *  (3) A thread in a system call goes on in the kernel: it is given the engine's registers for the same call, and the kernel
 *      itself restarts it there, with what is left of a timeout. The engine finds it as if it had made the call. */
#include "engine/emulate/attach.h"
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/emulate/detach.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/stop.h"
#include "engine/emulate/syscall.h"
#include "engine/emulate/tracer.h"
#include "engine/hooks.h"
#include "engine/jit/promote.h"
#include "engine/stats.h"

enum { NAP_NS = 50000, LOOK_EVERY = 200, CALL_INSN_LEN = 2 };
enum { FUTEX_WAKE = 129, RSEQ_UNREGISTER = 1 };

static void nap(void)
{
    struct { s64 sec, nsec; } t = { 0, NAP_NS };
    sys2(__NR_nanosleep, &t, 0);
}

static void end_thread(void) NORETURN;
static void end_thread(void)
{
    u32 unused;
    arch_thread_end(&unused, 0);
}

/* Threads may wait at the gate. */
static void tell(struct handoff *h, u32 state)
{
    __atomic_store_n(&h->attach_state, state, __ATOMIC_RELEASE);
    sys3(__NR_futex, &h->attach_state, FUTEX_WAKE, 0x7fffffff);
}

static void reach(struct handoff *h, u32 mine, u32 theirs)
{
    __atomic_store_n(&h->attach_state, mine, __ATOMIC_RELEASE);
    for (u32 round = 1; __atomic_load_n(&h->attach_state, __ATOMIC_ACQUIRE) != theirs; round++) {
        if (round % LOOK_EVERY == 0 && !tracer_is_there() && __atomic_load_n(&h->attach_state, __ATOMIC_ACQUIRE) == mine) {
            tell(h, ATTACH_ABANDONED);              /* the launcher is gone: it traced this thread */
            end_thread();
        }
        nap();
    }
}

static struct handoff_thread *list(const struct handoff *h) { return (struct handoff_thread *)h->threads; }

/* ---- one thread ---- */
static void note_call(struct thread *t)
{
    struct syscall_args a;
    arch_sys_get(&t->arch, &a);
    sig_note_wait(t, &a);
    t->insn_len = CALL_INSN_LEN;
    t->is_safe = t->in_kernel = true;
}

/* leader: the process's first thread, or when that has ended, another. */
static void adopt(struct handoff_thread *r, struct process *proc, int leader)
{
    struct thread *t = thr_new();
    if (!t)
        ct_fatal("no memory for thread %d", r->tid);
    struct k_stack own = sig_new_stack(t);
    memcpy(r->new_altstack, &own, sizeof own);
    t->tid = r->tid;
    t->proc = proc;
    t->parent_tid = r->tid == leader ? 0 : leader;
    t->app_mask = r->mask;
    t->rseq = (struct rseq_registration){ r->rseq_at, r->rseq_size, r->rseq_signature };
    r->enter_mask = r->in_call ? sig_kernel_mask(t, r->mask) : ~0ull;
    arch_adopt(t, r);
    if (r->in_call)
        note_call(t);
    t->arrival = r;
    promote_not_alone();
    thr_attach_list(t);
    if (r->tid == leader) {
        thr_give_index(t->index);
        t->index = 0;
    }
    stats.threads++;
}

void attach_settle(struct thread *t)
{
    struct k_stack s;
    if (!t->arrival)
        return;
    memcpy(&s, t->arrival->altstack, sizeof s);
    t->altstack = (struct k_stack){ s.sp, s.flags & (s32)K_SS_AUTODISARM, 0, s.flags & K_SS_DISABLE ? 0 : s.size };
    t->arrival = NULL;
}

/* ---- the helper ---- */
void attach_process(struct thread *helper, struct handoff *h)
{
    helper->tid = sys_gettid();
    helper->arch.engine_sp = h->stack_lo + HANDOFF_STACK_SIZE - PAGE_SIZE;     /* for its second life: see detach.c */
    helper->proc = heap_alloc(sizeof *helper->proc);
    detach_init(helper);
    arch_attach_code(&h->gate, &h->again);
    hook_attach(helper);
    reach(h, ATTACH_READY, ATTACH_LISTED);
    for (u32 i = 0; i < h->n_threads; i++)
        adopt(&list(h)[i], helper->proc, list(h)[0].tid);
    mem_init();
    reach(h, ATTACH_PREPARED, ATTACH_SWITCHED);
    sig_process_init(helper->proc);
    tell(h, ATTACH_INSTALLED);
    end_thread();
}

/* ---- the threads ---- */
void attach_arrive(struct thread *t, struct handoff_thread *r)
{
    if (r->altstack[2] == HANDOFF_UNKNOWN)
        sys2(__NR_sigaltstack, r->new_altstack, r->altstack);
    if (r->rseq_at)
        sys4(__NR_rseq, r->rseq_at, r->rseq_size, RSEQ_UNREGISTER, r->rseq_signature);
}

void attach_computing(struct thread *t)
{
    attach_settle(t);
    thr_enter_rt(t);
    hook_thread_attach(t);
    sig_set_mask(t, t->app_mask);
}

void attach_from_call(struct thread *t, long result)
{
    __atomic_store_n(&t->in_kernel, 0, __ATOMIC_RELEASE);
    stop_safe_end(t);
    if (!t->arch.pending)
        t->has_saved_mask = false;
    if (result != SYS_INTERRUPTED)
        arch_sys_result(&t->arch, result, arch_pc(&t->arch.regs) + t->insn_len);
    attach_settle(t);
    thr_enter_rt(t);
    hook_thread_attach(t);
}
