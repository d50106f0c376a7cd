/* syscall.c: the driver: find the handler, pass the rest on.
 *
 *  (1) A call that a signal prevents from starting is not made: the pc stays at the instruction, the signal is delivered,
 *      and the handler's return makes the call anew, exactly as the kernel restarts a call that has not begun. */
#include "engine/emulate/syscall.h"
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/process.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/emulate/stop.h"
#include "engine/stats.h"
#include "arch_syscalls.h"

enum { MAX_NR = 512 };
static syscall_fn *handlers[MAX_NR];

void syscall_init(void)
{
#define SYSCALL(name, handler) handlers[__NR_##name] = (syscall_fn *)handler;
#include "engine/emulate/syscalls.def"
#undef SYSCALL
}

long syscall_kernel(struct thread *t, struct syscall_args *a)
{
    stats_phase(PHASE_SYSCALL);
    u64 epoch = t->epoch;
    if (!t->stays_in_cache)
        t->epoch = 0;
    stop_safe_begin(t);
    long r = arch_syscall(&t->arch, a);
    stop_safe_end(t);
    t->epoch = epoch;
    stats_phase(PHASE_VM);
    if (r == -E_FAULT && smc_unwatch_all())         /* the kernel wrote to a page that we had write-protected */
        r = arch_syscall(&t->arch, a);
    return r;
}

bool syscall_perform(struct thread *t, struct syscall_args *a, long *result)
{
    stats.syscalls++;
    syscall_fn *f = a->nr >= 0 && a->nr < MAX_NR ? handlers[a->nr] : NULL;
    long r = f ? f(t, a) : SYS_PASS;
    if (r == SYS_PASS)
        r = syscall_kernel(t, a);
    if (r == SYS_INTERRUPTED || r == SYS_REPLACED)
        return false;
    *result = r;
    return true;
}
