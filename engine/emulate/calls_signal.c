/* calls_signal.c: calls that wait with another signal mask. The kernel swaps the masks; the engine must know which mask
 * was in force when a signal came, because the handler runs under it. */
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/signal.h"

long sys_sigreturn(struct thread *t, struct syscall_args *a)
{
    sig_sys_return(t);
    return SYS_REPLACED;
}

/* Signals that the engine holds for the application are pending too. */
long sys_sigpending(struct thread *t, struct syscall_args *a)
{
    u64 set;
    long r = syscall_kernel(t, a);
    if (r == 0 && t->held && mem_copy_safely(&set, (void *)a->a[0], 8)) {
        set |= t->held;
        mem_copy_safely((void *)a->a[0], &set, 8);
    }
    return r;
}

static long wait_with_mask(struct thread *t, struct syscall_args *a, addr_t mask_at)
{
    t->has_saved_mask = mask_at && mem_copy_safely(&t->saved_mask, (void *)mask_at, 8);
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
