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

/* Where a call that waits with another mask finds it; 0: not such a call. */
static addr_t wait_mask_at(const struct syscall_args *a)
{
    u64 pair[2] = { 0 };                          /* { mask address, size } */
    switch (a->nr) {
    case __NR_rt_sigsuspend: return (addr_t)a->a[0];
    case __NR_ppoll: return (addr_t)a->a[3];
    case __NR_epoll_pwait: case __NR_epoll_pwait2: return (addr_t)a->a[4];
    case __NR_pselect6:
        if (a->a[5])
            mem_copy_safely(pair, (void *)a->a[5], sizeof pair);
        return pair[0];
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
    if (t->has_saved_mask && sig_release_held(t, t->saved_mask))
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

long sys_sigtimedwait(struct thread *t, struct syscall_args *a)
{
    u64 set;
    struct k_siginfo info;
    if (!t->held || a->a[3] != 8 || !mem_copy_safely(&set, (void *)a->a[0], 8) || !sig_take_held(t, set, &info))
        return SYS_PASS;
    return !a->a[1] || smc_write((void *)a->a[1], &info, sizeof info) ? info.signo : -E_FAULT;
}
