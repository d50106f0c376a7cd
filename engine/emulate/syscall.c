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

/* The kernel does not wait for us when it finds a watched page: a datagram is lost, a read falls short. So whatever an
 * argument may point at is given back first, and what the vectors of buffers point at (expose.c); should it still find one,
 * the call is made again. */
static void expose_arguments(const struct syscall_args *a)
{
    enum { MAX_LEN = 1 << 26 };
    for (u32 i = 0; i < ARRAY_LEN(a->a); i++) {
        u64 len = i + 1 < ARRAY_LEN(a->a) ? (u64)a->a[i + 1] : 0;
        if ((u64)a->a[i] >= PAGE_SIZE)
            smc_expose((addr_t)a->a[i], len && len <= MAX_LEN ? len : 1);
    }
    expose_vectors(a);
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

long syscall_kernel(struct thread *t, struct syscall_args *a)
{
    if (a->older)                                 /* its vectors have another form */
        smc_unwatch_all();
    else
        expose_arguments(a);
    stats_phase(PHASE_SYSCALL);
    long r = enter_kernel(t, a);
    if (r == -E_FAULT && smc_unwatch_all())
        r = enter_kernel(t, a);
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
