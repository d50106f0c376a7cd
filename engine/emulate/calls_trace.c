/* calls_trace.c: a thread of the program traces another one that shares its memory, as leak checkers do. It shall see the
 * application's registers, and it shares the engine with what it stops. */
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/process.h"
#include "engine/emulate/smc.h"

enum { PTRACE_TRACEME = 0, PTRACE_GETREGS = 12, PTRACE_ATTACH = 16, PTRACE_GETREGSET = 0x4204, PTRACE_INTERRUPT = 0x4207, NT_PRSTATUS = 1 };
enum { P_PID = 1, WSTOPPED = 2, WEXITED = 4, WNOWAIT = 0x1000000, WALL = 0x40000000 };

/* NULL: of another process, as with every debugger; or it has executed another program. */
static struct thread *find(int tid)
{
    lock_take(thr_lock());
    struct thread *t = thr_first();
    while (t && t->tid != tid)
        t = t->next;
    lock_drop(thr_lock());
    return t && thr_shares_memory(tid) ? t : NULL;
}

/* A thread that is stopped while it holds a lock of the engine's would stop its tracer, too. So none holds any then. */
static long stop_without_locks(struct thread *t, struct syscall_args *a)
{
    proc_locks_take(t);
    long r = sys_raw6(a->nr, a->a[0], a->a[1], a->a[2], a->a[3], 0, 0);
    if (!sys_failed(r))
        sys5(__NR_waitid, P_PID, a->a[1], 0, WSTOPPED | WEXITED | WNOWAIT | WALL, 0);
    proc_locks_drop(t);
    return r;
}

static long show_registers(struct thread *tracee, addr_t at, size_t size)
{
    struct k_user_regs r;
    if (size < sizeof r || !mem_copy_safely(&r, (void *)at, sizeof r))
        return 0;
    arch_tracee_registers(tracee, &r);
    return smc_write((void *)at, &r, sizeof r) ? 0 : -E_FAULT;
}

static void prepare_for_tracer(void)
{
    cache_lock_take();
    arch_avoid_faults();
    cache_lock_drop();
}

long sys_ptrace(struct thread *t, struct syscall_args *a)
{
    if (a->a[0] == PTRACE_TRACEME)
        prepare_for_tracer();
    struct { addr_t at; size_t size; } iov;
    struct thread *tracee = find((int)a->a[1]);
    if (!tracee)
        return SYS_PASS;
    if (a->a[0] == PTRACE_ATTACH || a->a[0] == PTRACE_INTERRUPT)
        return stop_without_locks(t, a);
    long r = syscall_kernel(t, a);
    if (r == 0 && a->a[0] == PTRACE_GETREGS)
        return show_registers(tracee, (addr_t)a->a[3], sizeof(struct k_user_regs));
    if (r == 0 && a->a[0] == PTRACE_GETREGSET && a->a[2] == NT_PRSTATUS && mem_copy_safely(&iov, (void *)a->a[3], sizeof iov))
        return show_registers(tracee, iov.at, iov.size);
    return r;
}
