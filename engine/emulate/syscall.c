/* syscall.c: the driver: find the handler, pass the rest on.
 *
 *  (1) A call that a signal prevents from starting is not made: the pc stays at the instruction, the signal is delivered,
 *      and the handler's return makes the call anew, exactly as the kernel restarts a call that has not begun. */
#include "engine/emulate/syscall.h"
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/expose.h"
#include "engine/emulate/held.h"
#include "engine/emulate/process.h"
#include "engine/emulate/seccomp.h"
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

/* Outside of the cache, and with the application's own signal mask. */
static long enter_kernel(struct thread *t, const struct syscall_args *a)
{
    u64 epoch = t->epoch;
    if (!t->stays_in_cache)
        t->epoch = 0;
    u64 lent = held_lend(t, a->nr);
    stop_safe_begin(t);
    arch_note_bases(&t->arch);
    __atomic_store_n(&t->in_kernel, 1, __ATOMIC_RELEASE);
    long r = arch_syscall(&t->arch, a);
    __atomic_store_n(&t->in_kernel, 0, __ATOMIC_RELEASE);
    stop_safe_end(t);
    held_lend_end(t, lent);
    t->epoch = epoch;
    return r;
}

/* Should the kernel find a watched page in spite of all (expose.h), the call is made again. */
long syscall_kernel(struct thread *t, struct syscall_args *a)
{
    expose_begin(t, a);
    stats_phase(PHASE_SYSCALL);
    long r = enter_kernel(t, a);
    if (r == -E_FAULT && smc_unwatch_all())
        r = enter_kernel(t, a);
    expose_end(t);
    stats_phase(PHASE_VM);
    return r;
}

bool syscall_perform(struct thread *t, struct syscall_args *a, long *result)
{
    stats.syscalls++;
    if (UNLIKELY(t->filter.is_on) && sys_is_dispatched(t, sys_named(a)))
        return false;
    syscall_fn *f = a->perform ? a->perform : a->nr >= 0 && a->nr < MAX_NR ? handlers[a->nr] : NULL;
    long r = UNLIKELY(t->seccomp != NULL) ? seccomp_judge(t, a, f != NULL) : SYS_PASS;
    if (r == SYS_PASS && f)
        r = f(t, a);
    if (r == SYS_PASS)
        r = syscall_kernel(t, a);
    if (r == SYS_INTERRUPTED || r == SYS_REPLACED)
        return false;
    *result = r;
    return true;
}
