/* calls_prctl.c: prctl. System-call user dispatch is done here: the kernel would look at the engine's calls, whose addresses
 * are not the application's, and send SIGSYS for those that the engine makes for itself. */
#include "arch_syscalls.h"
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/seccomp.h"
#include "engine/emulate/signal.h"

enum { PR_SET_SYSCALL_USER_DISPATCH = 59, DISPATCH_OFF = 0, DISPATCH_ON = 1 };
enum { FILTER_ALLOW = 0, FILTER_BLOCK = 1, SYS_USER_DISPATCH = 2 };

static long set_dispatch(struct thread *t, const struct syscall_args *a)
{
    struct dispatch_filter d = { true, (addr_t)a->a[2], (u64)a->a[3], (addr_t)a->a[4] };
    switch (a->a[1]) {
    case DISPATCH_OFF:
        if (d.lo || d.len || d.selector)
            return -E_INVAL;
        t->filter.is_on = false;
        return 0;
    case DISPATCH_ON:
        if (d.lo && d.lo + d.len <= d.lo)
            return -E_INVAL;
        if (d.selector && (arch_is_kernel_half(d.selector) || !arch_is_canonical(d.selector)))
            return -E_FAULT;
        t->filter = d;
        return 0;
    default: return -E_INVAL;
    }
}

long sys_prctl(struct thread *t, struct syscall_args *a)
{
    enum { PR_SET_SECCOMP = 22, STRICT = 1, FILTER = 2 };
    if ((int)a->a[0] == PR_SET_SECCOMP && a->a[1] == FILTER)
        return seccomp_filter(t, a, false);
    if ((int)a->a[0] == PR_SET_SECCOMP && a->a[1] == STRICT)
        return seccomp_strict(t);
    return (int)a->a[0] == PR_SET_SYSCALL_USER_DISPATCH ? set_dispatch(t, a) : SYS_PASS;
}

bool sys_is_dispatched(struct thread *t, long nr)
{
    const struct dispatch_filter *d = &t->filter;
    addr_t next = arch_pc(&t->arch.regs) + t->insn_len;
    u8 state = FILTER_BLOCK;
    if (next - d->lo < d->len)
        return false;
    if (d->selector && !mem_copy_safely(&state, (void *)d->selector, 1))
        sig_die(K_SIGSEGV);
    if (state == FILTER_ALLOW)
        return false;
    if (state != FILTER_BLOCK)
        sig_die(K_SIGSYS);
    arch_sys_result(&t->arch, nr, next);
    sig_raise(t, K_SIGSYS, SYS_USER_DISPATCH, next, NULL);
    t->pend.info.call = (s32)nr;
    t->pend.info.call_arch = arch_sys_audit(&t->arch);
    return true;
}
