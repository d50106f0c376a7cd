/* calls_signal.c: calls that wait with another signal mask. The kernel swaps the masks; the engine must know which mask
 * was in force when a signal came, because the handler runs under it. */
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"

long sys_sigreturn(struct thread *t, struct syscall_args *a)
{
    sig_sys_return(t);
    return SYS_REPLACED;
}

static long wait_with_mask(struct thread *t, struct syscall_args *a, addr_t mask_at)
{
    t->has_saved_mask = mask_at && mem_copy_safely(&t->saved_mask, (void *)mask_at, 8);
    if (t->has_saved_mask && sig_release_held(t, t->saved_mask))
        return -E_INTR;
    long r = syscall_kernel(t, a);
    if (!t->arch.pending)
        t->has_saved_mask = false;
    return r;
}

long sys_sigsuspend(struct thread *t, struct syscall_args *a) { return wait_with_mask(t, a, (addr_t)a->a[0]); }
long sys_ppoll(struct thread *t, struct syscall_args *a) { return wait_with_mask(t, a, (addr_t)a->a[3]); }
long sys_epoll_pwait(struct thread *t, struct syscall_args *a) { return wait_with_mask(t, a, (addr_t)a->a[4]); }

long sys_pselect6(struct thread *t, struct syscall_args *a)
{
    u64 pair[2] = { 0 };                          /* { mask address, size } */
    if (a->a[5])
        mem_copy_safely(pair, (void *)a->a[5], sizeof pair);
    return wait_with_mask(t, a, pair[0]);
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

long sys_sigtimedwait(struct thread *t, struct syscall_args *a)
{
    u64 set;
    struct k_siginfo info;
    if (!t->held || a->a[3] != 8 || !mem_copy_safely(&set, (void *)a->a[0], 8) || !sig_take_held(t, set, &info))
        return SYS_PASS;
    return !a->a[1] || smc_write((void *)a->a[1], &info, sizeof info) ? info.signo : -E_FAULT;
}
