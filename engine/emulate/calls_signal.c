/* calls_signal.c: calls that wait with another signal mask. The kernel swaps the masks; the engine must know which mask
 * was in force when a signal came, because the handler runs under it. */
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/held.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"

long sys_sigreturn(struct thread *t, struct syscall_args *a)
{
    sig_sys_return(t);
    return SYS_REPLACED;
}

/* The mask, or a struct of which its address is the first word. */
static addr_t uring_mask_at(const struct syscall_args *a)
{
    enum { GETEVENTS = 1, EXT_ARG = 8 };
    addr_t at = (addr_t)a->a[4];
    if (!(a->a[3] & GETEVENTS) || (a->a[3] & EXT_ARG && at && !mem_copy_safely(&at, (void *)at, 8)))
        return 0;
    return at;
}

/* Where a call that waits with another mask finds it; 0: not such a call. */
static addr_t wait_mask_at(const struct syscall_args *a)
{
    u64 at = 0;                                   /* first word of { mask address, size } */
    switch (a->nr) {
    case __NR_rt_sigsuspend: return (addr_t)a->a[0];
    case __NR_ppoll: return (addr_t)a->a[3];
    case __NR_epoll_pwait: case __NR_epoll_pwait2: return (addr_t)a->a[4];
    case __NR_io_uring_enter: return uring_mask_at(a);
    case __NR_pselect6: case __NR_io_pgetevents:
        if (a->a[5])
            mem_copy_safely(&at, (void *)a->a[5], a->older ? 4 : 8);
        return at;
    default: return 0;
    }
}

void sig_note_wait(struct thread *t, const struct syscall_args *a)
{
    addr_t at = wait_mask_at(a);
    t->has_saved_mask = at && mem_copy_safely(&t->saved_mask, (void *)at, 8);
}

long sys_wait_with_mask(struct thread *t, struct syscall_args *a)
{
    sig_note_wait(t, a);
    if (t->has_saved_mask && held_release(t, t->saved_mask))
        return -E_INTR;
    long r = syscall_kernel(t, a);
    if (!t->arch.pending)
        t->has_saved_mask = false;
    return r;
}

/* ---- what is pending: the kernel's signals and those that the engine holds ---- */
long sys_sigpending(struct thread *t, struct syscall_args *a)
{
    u64 set = 0;
    size_t size = (size_t)a->a[1];
    long r = syscall_kernel(t, a);
    if (r || !t->held || size > sizeof set || !mem_copy_safely(&set, (void *)a->a[0], size))
        return r;
    set |= t->held;
    return smc_write((void *)a->a[0], &set, size) ? 0 : -E_FAULT;
}

struct timespec { s64 sec, nsec; };

static s64 now_ns(void)
{
    struct timespec t;
    sys2(__NR_clock_gettime, 1, &t);               /* CLOCK_MONOTONIC */
    return t.sec * 1000000000 + t.nsec;
}

/* Another thread, in the cache, may have snatched the signal from the kernel; it sends it on to here (held_share). That
 * wakes the kernel for nothing: without a handler to run, the application has not been interrupted. */
static long wait_for_signal(struct thread *t, struct syscall_args *a)
{
    struct timespec left;
    bool is_limited = a->a[2] && mem_copy_safely(&left, (void *)a->a[2], sizeof left) && left.sec < 1ll << 32;
    s64 end = is_limited ? now_ns() + left.sec * 1000000000 + left.nsec : 0;
    long r;
    while ((r = syscall_kernel(t, a)) == -E_INTR && !t->pend.sig) {
        if (t->arch.pending)                       /* something for the dispatcher: the call is made anew */
            return SYS_INTERRUPTED;
        s64 ns = is_limited ? MAX(end - now_ns(), 0ll) : 0;
        left = (struct timespec){ ns / 1000000000, ns % 1000000000 };
        if (is_limited)
            a->a[2] = (long)&left;
    }
    return r;
}

/* Only of what kill() sent is it known that it was for all threads: a timer, a queued signal or a descriptor's may be for this one,
 * and the C library has such timers. */
static bool is_let_in(struct thread *t, const struct k_siginfo *info)
{
    enum { SI_USER = 0 };
    bool to_all = info->code == SI_USER, is = !(t->app_mask & bit((u32)info->signo));
    lock_take(thr_lock());
    for (struct thread *o = thr_first(); o && to_all; o = o->next)
        is |= o->proc == t->proc && !(o->app_mask & bit((u32)info->signo));
    lock_drop(thr_lock());
    return is;
}

/* A signal with the default action ends the process as soon as a thread lets it in, even if another one waits for it. The engine
 * may have caught it all the same, for the report's sake; then the one that waits has taken it from the one that would die. */
static long wait_or_die(struct thread *t, struct syscall_args *a)
{
    struct k_siginfo info;
    void *to = (void *)a->a[1];
    a->a[1] = (long)&info;
    long r = wait_for_signal(t, a);
    if (r > 0 && sig_is_default_deadly(t, (u32)r) && is_let_in(t, &info)) {
        t->pend = (struct pending){ .sig = (u32)r, .info = info };
        t->arch.pending = 1;
        return -E_INTR;
    }
    return r > 0 && to && !smc_write(to, &info, sizeof info) ? -E_FAULT : r;
}

long sys_sigtimedwait(struct thread *t, struct syscall_args *a)
{
    u64 set;
    struct k_siginfo info;
    if (!t->held || a->a[3] != 8 || !mem_copy_safely(&set, (void *)a->a[0], 8) || !held_take(t, set, &info))
        return wait_or_die(t, a);
    return !a->a[1] || smc_write((void *)a->a[1], &info, sizeof info) ? info.signo : -E_FAULT;
}
