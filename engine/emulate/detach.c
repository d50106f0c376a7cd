/* detach.c: see detach.h.
 *
 *  (1) No application code runs from the moment all threads are at rest: a thread that comes to the dispatcher parks.
 *  (2) The kernel's signal handlers stay the engine's until every thread has been stopped from outside. A parked thread has
 *      all signals blocked; one in a system call can still be interrupted, and then parks with the signal delivered.
 *  (3) Where no launcher can trace the process, each thread leaves by itself as a signal handler returns, and the memory
 *      stays. The same happens when the launcher dies on the way. The ferry, which it traces, sees that, and is there until
 *      every thread is native. */
#include "engine/emulate/detach.h"
#include "engine/emulate/attach.h"
#include "engine/emulate/held.h"
#include "base/heap.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/emulate/process.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/emulate/stop.h"
#include "engine/emulate/tracer.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/native.h"
#include "loader/rt.h"

enum { NAP_NS = 200000, LONGEST_NAP_NS = 100000000, LOOK_EVERY = 50, CALL_EVERY = 100, PATIENCE = 25000 };     /* naps: five seconds for a launcher to come */
enum { FUTEX_WAIT = 128, FUTEX_WAKE = 129, READ_WRITE_EXECUTE = 7 };
enum { WALL = 0x40000000 };
enum { CLONE_VM = 0x100, CLONE_VFORK = 0x4000, THREAD_FLAGS = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000 };

static struct thread *the_ferry;
static bool is_of_tool;                         /* the tool itself asked for it */

static u32 *state(void) { return &engine_handoff->detach_state; }
static u32 state_now(void) { return __atomic_load_n(state(), __ATOMIC_ACQUIRE); }
static bool change_state(u32 from, u32 to) { return __atomic_compare_exchange_n(state(), &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED); }

static void nap(s64 ns)
{
    struct { s64 sec, nsec; } t = { 0, ns };
    sys2(__NR_nanosleep, &t, 0);
}

/* ---- beginning ---- */
void detach_init(struct thread *ferry)
{
    struct handoff *h = engine_handoff;
    the_ferry = ferry ? ferry : thr_new();
    if (!the_ferry)
        return;
    the_ferry->proc = thr_self.proc;
    arch_ferry_registers(the_ferry, &h->ferry);
    _Static_assert((int)ARCH_CALL_PLACES <= (int)HANDOFF_WINDOWS, "room for all");
    for (u32 i = 0; i < ARCH_CALL_PLACES; i++)
        arch_call_window(i, &h->calls[i].lo, &h->calls[i].hi);
    h->exit_gate = arch_exit_gate();
    h->actions = (u64)thr_self.proc->action;
}

void detach_request(void)
{
    if (!the_ferry || !change_state(DETACH_NONE, DETACH_ASKED))
        return;
    is_of_tool = true;
    struct syscall_args a = { .nr = __NR_clone, .a = { THREAD_FLAGS } };
    u64 mask, all = ~0ull;
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &all, &mask, 8);
    arch_start_ferry(&a, &engine_handoff->ferry);
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &mask, 0, 8);
}

/* ---- the ferry ---- */
static bool any_nested(void)
{
    bool any = false;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        any |= t->nested != NULL || t->vfork != NULL;
    lock_drop(thr_lock());
    return any;
}

static void stop_all(struct thread *me)
{
    stop_wait_for_vforks();
    for (s64 ns = NAP_NS; !stop_others(me) || any_nested(); ns = MIN(ns * 2, (s64)LONGEST_NAP_NS)) {
        stop_resume(me);
        nap(ns);
    }
}

static long flush(void *unused) { return rt_exit_flush(), 0; }

/* A tool that has no function for a detach still wants to report, unless it asked for the detach itself. */
static void tell_tool(void)
{
    if (hooks_are_lost())
        return;
    if (hook_detach() || is_of_tool)
        arch_call_hosted(flush, NULL);
    else
        proc_last_word(0);
}

static void close_private_files(void)
{
    for (int fd = rt_fd_next(0); fd >= 0; fd = rt_fd_next(fd + 1)) {
        rt_fd_forget(fd);
        sys1(__NR_close, fd);
    }
}

static void fill(struct thread *t, struct handoff_thread *r)
{
    r->tid = t->tid;
    r->mask = t->app_mask;
    struct k_stack alt = t->altstack;
    if (!alt.size)
        alt.flags = K_SS_DISABLE;
    memcpy(r->altstack, &alt, sizeof alt);
    r->rseq_at = t->rseq.at;
    r->rseq_size = t->rseq.size;
    r->rseq_signature = t->rseq.signature;
    arch_native_registers(t, &r->regs);
}

static void list_threads(void)
{
    struct handoff *h = engine_handoff;
    size_t size = ROUND_UP(thr_count() * sizeof(struct handoff_thread), PAGE_SIZE);
    struct handoff_thread *r = heap_pages(size);
    sys3(__NR_mprotect, r, size, READ_WRITE_EXECUTE);       /* leave_code */
    h->threads = (u64)r;
    h->n_threads = 0;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next, r++) {
        attach_settle(t);
        fill(t, r);
        arch_leave_code(r);
        t->transit = r;
        h->n_threads++;
    }
    lock_drop(thr_lock());
}

static bool is_anybody_elsewhere(void)
{
    bool any = false;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        any |= !__atomic_load_n(&t->in_kernel, __ATOMIC_ACQUIRE) && t->transit->place != PLACE_PARKED;
    lock_drop(thr_lock());
    return any;
}

/* A launcher of our own, which outlives this process's image in it: an orphan, so that nobody has to wait for it. The two
 * children borrow this stack, and neither comes back on it. */
static long __attribute__((noinline)) call_launcher(void)
{
    enum { PR_SET_PTRACER = 0x59616d61, STDERR = 2 };
    char pid[16];
    ct_format(pid, sizeof pid, "%d", sys_getpid());
    const char *const argv[] = { "cotter", "detach", "--finish", pid, NULL }, *const envp[] = { NULL };
    sys5(__NR_prctl, PR_SET_PTRACER, -1ul, 0, 0, 0);
    long child = sys5(__NR_clone, CLONE_VM | CLONE_VFORK, 0, 0, 0, 0);
    if (child)
        return child;
    if (sys5(__NR_clone, CLONE_VM | CLONE_VFORK, 0, 0, 0, 0))
        for (;;)
            sys1(__NR_exit, 0);
    sys1(__NR_close, 0);
    sys1(__NR_close, 1);
    sys3(__NR_close_range, STDERR + 1, ~0u, 0);
    sys0(__NR_setsid);
    sys3(__NR_execve, engine_handoff->launcher_path, argv, envp);
    for (;;)
        sys1(__NR_exit, 1);
}

/* ---- the ferry as guard: threads wait for its word ---- */
static void tell(u32 new)
{
    __atomic_store_n(state(), new, __ATOMIC_RELEASE);
    sys3(__NR_futex, state(), FUTEX_WAKE, 0x7fffffff);
}

static bool call_whoever_waits(bool and_call)
{
    bool any = false;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        if (__atomic_load_n(&t->transit->place, __ATOMIC_ACQUIRE) != PLACE_PARKED) {
            any = true;
            if (and_call)
                stop_call(t);
        }
    lock_drop(thr_lock());
    return any;
}

/* No launcher: threads in a call are called out of it, to make it again natively. */
static void do_alone(struct thread *me)
{
    if (state_now() < DETACH_RELEASED) {
        for (u32 round = 0; call_whoever_waits(round % CALL_EVERY == 0); round++)
            nap(NAP_NS);
        sig_process_release(me->proc);
    }
    tell(DETACH_ALONE);
}

static void guard(struct thread *me)
{
    bool was_there = false;
    for (u32 round = 1; state_now() != DETACH_OVER; round++, nap(NAP_NS)) {
        if (state_now() == DETACH_LEAVING) {
            sig_process_release(me->proc);
            tell(DETACH_RELEASED);
        }
        if (round % LOOK_EVERY)
            continue;
        bool is_there = tracer_is_there();
        if (!is_there && (was_there || round > PATIENCE) && state_now() != DETACH_OVER) {
            do_alone(me);
            return;
        }
        was_there |= is_there;
    }
}

void detach_ferry(struct thread *me)
{
    if (native_is_on())
        native_ferry(me);
    me->tid = sys_gettid();
    thr_enter_rt(me);
    if (!is_of_tool && !change_state(DETACH_NONE, DETACH_ASKED))
        arch_thread_end(&(u32){ 0 }, 0);        /* somebody was faster */
    engine_handoff->ferry_tid = me->tid;
    stop_all(me);
    tell_tool();
    smc_unwatch_all();
    list_threads();
    close_private_files();
    __atomic_store_n(state(), DETACH_PARKING, __ATOMIC_SEQ_CST);
    stop_resume(me);
    while (is_anybody_elsewhere())
        nap(NAP_NS);
    __atomic_store_n(state(), DETACH_READY, __ATOMIC_RELEASE);
    if (is_of_tool)
        sys4(__NR_wait4, call_launcher(), 0, WALL, 0);
    guard(me);
    arch_thread_end(&(u32){ 0 }, 0);
}

/* ---- the threads ---- */
bool detach_is_due(void) { return UNLIKELY(state_now() >= DETACH_PARKING); }

/* Signals that the engine holds are the kernel's again. All are blocked. */
static void give_held(struct thread *t)
{
    struct k_siginfo info;
    while (held_take_any(t, ~0ull, &info))
        sys4(__NR_rt_tgsigqueueinfo, sys_getpid(), t->tid, info.signo, &info);
}

void detach_park(struct thread *t)
{
    struct handoff_thread *r = t->transit;
    u64 all = ~0ull;
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &all, 0, 8);
    fill(t, r);
    give_held(t);
    sys2(__NR_sigaltstack, r->altstack, 0);
    if (r->rseq_at)
        sys4(__NR_rseq, r->rseq_at, r->rseq_size, 0, r->rseq_signature);
    __atomic_store_n(&r->place, PLACE_PARKED, __ATOMIC_RELEASE);
    for (u32 now; (now = state_now()) != DETACH_ALONE;)
        sys4(__NR_futex, state(), FUTEX_WAIT, now, 0);
    arch_go_native(t);
}
