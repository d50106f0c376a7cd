/* stop.c: change code while all other threads are at rest.
 *
 * Another process that shares our memory traces the threads (ptrace), looks where each one is, and lets them go again. No
 * signal is sent, system calls are restarted by the kernel, and threads that block all signals stop too.
 *
 *  (1) A thread in the middle of the bytes is moved to the same instruction of the copy.
 *  (2) A thread that will come back into the middle later cannot be: if a signal handler's frame on its stack leads there,
 *      or a return address, all are let go, and we try again.
 *  (3) The tracing process uses no libc, no TLS and no lock; the caller waits for it and is not traced itself. */
#include "base/heap.h"
#include "base/str.h"
#include "base/sys.h"
#include "probe/probe_int.h"

enum { PTRACE_GETREGS = 12, PTRACE_SETREGS = 13, PTRACE_DETACH = 17, PTRACE_SEIZE = 0x4206, PTRACE_INTERRUPT = 0x4207,
       EVENT_STOP = 128, WALL = 0x40000000, PR_SET_PTRACER = 0x59616d61 };
enum { FUTEX_WAIT = 0, FUTEX_WAKE = 1, TRIES = 200, STACK_SIZE = 65536, MAX_THREADS = 65536 };

struct stopped { int tid, sig; };
struct job {
    const struct probe *p;
    bool (*commit)(void *);
    bool (*visit)(void *, int, u64 *);  /* instead of that */
    void *arg;
    int pid, caller;                    /* our process; the thread that is not traced */
    addr_t caller_sp;
    u32 go, done;                       /* futexes */
    enum probe_reason result;
    struct stopped *list;
    u32 n;
};

/* ---- the threads ---- */
struct entry { u64 inode, offset; u16 len; u8 type; char name[]; };

static int to_number(const char *s)
{
    u32 v = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        v = v * 10 + (u32)(*s - '0');
    return (int)v;
}

static char *put_number(char *to, u32 v)
{
    char digits[10];
    u32 n = 0;
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n)
        *to++ = digits[--n];
    return to;
}

static int open_tasks(int pid)
{
    char path[32] = "/proc/", *end = put_number(path + 6, (u32)pid);
    memcpy(end, "/task", 6);
    return (int)sys4(__NR_openat, -100, path, 02200000, 0);
}

/* f for each thread; false: stop. */
static bool for_each_task(int pid, bool (*f)(void *, int), void *arg)
{
    char buffer[2048] __attribute__((aligned(8)));
    int fd = open_tasks(pid);
    bool ok = fd >= 0;
    for (long n; ok && (n = sys3(__NR_getdents64, fd, buffer, sizeof buffer)) > 0;)
        for (long i = 0; ok && i < n; i += ((struct entry *)(buffer + i))->len) {
            int tid = to_number(((struct entry *)(buffer + i))->name);
            ok = !tid || f(arg, tid);
        }
    if (fd >= 0)
        sys1(__NR_close, fd);
    return ok;
}

static bool count(void *n, int tid) { return ++*(u32 *)n, true; }

bool stop_is_alone(void)
{
    u32 n = 0;
    return for_each_task(sys_getpid(), count, &n) && n == 1;
}

/* ---- stopping ---- */
static bool is_known(const struct job *j, int tid)
{
    for (u32 i = 0; i < j->n; i++)
        if (j->list[i].tid == tid)
            return true;
    return tid == j->caller;
}

static bool stop_one(void *arg, int tid)
{
    struct job *j = arg;
    int status = 0;
    if (is_known(j, tid))
        return true;
    long r = j->n < MAX_THREADS ? sys4(__NR_ptrace, PTRACE_SEIZE, tid, 0, 0) : -E_PERM;
    if (r == -E_SRCH)
        return true;                                    /* it has ended */
    if (sys_failed(r))
        return j->result = PROBE_CANNOT_STOP, false;
    sys4(__NR_ptrace, PTRACE_INTERRUPT, tid, 0, 0);
    while ((r = sys4(__NR_wait4, tid, &status, WALL, 0)) == -E_INTR)
        ;
    if (r == tid && (status & 0xff) == 0x7f) {          /* else it has ended */
        int sig = status >> 8 & 0xff;
        j->list[j->n++] = (struct stopped){ tid, status >> 16 == EVENT_STOP ? 0 : sig };
    }
    return true;
}

/* New ones may appear until a look around finds no other. */
static bool stop_all(struct job *j)
{
    u32 before;
    do {
        before = j->n;
        if (!for_each_task(j->pid, stop_one, j))
            return false;
    } while (j->n != before);
    return true;
}

static void mend_call(int tid)
{
    u64 regs[ARCH_PTRACE_WORDS];
    if (!sys_failed(sys4(__NR_ptrace, PTRACE_GETREGS, tid, 0, regs)) && arch_probe_call_again(regs))
        sys4(__NR_ptrace, PTRACE_SETREGS, tid, 0, regs);
}

static void let_go(struct job *j)
{
    for (u32 i = 0; i < j->n; i++)
        mend_call(j->list[i].tid);
    for (u32 i = 0; i < j->n; i++)
        sys4(__NR_ptrace, PTRACE_DETACH, j->list[i].tid, 0, j->list[i].sig);
    j->n = 0;
}

/* ---- looking ---- */
static bool stack_leads_inside(const struct job *j, addr_t sp)
{
    struct mapping m;
    if (!space_find(sp, &m))
        return false;
    const addr_t *end = (const addr_t *)m.hi;
    for (const addr_t *a = (const addr_t *)ROUND_UP(sp, 8ul); a < end; a++)
        if (relocate_pc(j->p, *a) && (j->p->returns_inside || arch_probe_is_saved_pc(a, end)))
            return true;
    return false;
}

static bool move_out(const struct job *j, int tid)
{
    u64 regs[ARCH_PTRACE_WORDS];
    if (sys_failed(sys4(__NR_ptrace, PTRACE_GETREGS, tid, 0, regs)))
        return false;
    if (stack_leads_inside(j, regs[ARCH_PTRACE_SP]))
        return false;
    addr_t to = relocate_pc(j->p, regs[ARCH_PTRACE_PC]);
    if (!to)
        return true;
    regs[ARCH_PTRACE_PC] = to;
    return !sys_failed(sys4(__NR_ptrace, PTRACE_SETREGS, tid, 0, regs));
}

static bool is_free(const struct job *j)
{
    if (stack_leads_inside(j, j->caller_sp))
        return false;
    for (u32 i = 0; i < j->n; i++)
        if (!move_out(j, j->list[i].tid))
            return false;
    return true;
}

static enum probe_reason visit_all(const struct job *j)
{
    u64 regs[ARCH_PTRACE_WORDS];
    for (u32 i = 0; i < j->n; i++)
        if (!sys_failed(sys4(__NR_ptrace, PTRACE_GETREGS, j->list[i].tid, 0, regs)) && j->visit(j->arg, j->list[i].tid, regs))
            sys4(__NR_ptrace, PTRACE_SETREGS, j->list[i].tid, 0, regs);
    return PROBE_OK;
}

/* ---- the tracing process ---- */
static void trace(void *arg)
{
    struct job *j = arg;
    while (!__atomic_load_n(&j->go, __ATOMIC_ACQUIRE))
        sys4(__NR_futex, &j->go, FUTEX_WAIT, 0, 0);
    if (stop_all(j)) {
        if (j->visit)
            j->result = visit_all(j);
        else if (!is_free(j))
            j->result = PROBE_BUSY;
        else
            j->result = j->commit(j->arg) ? PROBE_OK : PROBE_CANNOT_WRITE;
    }
    let_go(j);
    __atomic_store_n(&j->done, 1, __ATOMIC_RELEASE);
    sys3(__NR_futex, &j->done, FUTEX_WAKE, 1);
}

static void run_tracer(struct job *j, u8 *stack)
{
    j->go = j->done = 0;
    j->result = PROBE_CANNOT_STOP;
    long pid = arch_probe_spawn(trace, j, stack + STACK_SIZE);
    if (sys_failed(pid))
        return;
    sys5(__NR_prctl, PR_SET_PTRACER, pid, 0, 0, 0);     /* where only relatives may trace */
    __atomic_store_n(&j->go, 1, __ATOMIC_RELEASE);
    sys3(__NR_futex, &j->go, FUTEX_WAKE, 1);
    while (!__atomic_load_n(&j->done, __ATOMIC_ACQUIRE))
        sys4(__NR_futex, &j->done, FUTEX_WAIT, 0, 0);
    while (sys4(__NR_wait4, pid, 0, WALL, 0) == -E_INTR)
        ;
    sys5(__NR_prctl, PR_SET_PTRACER, 0, 0, 0, 0);
}

static u64 set_mask(u64 mask)
{
    u64 old = 0;
    sys4(__NR_rt_sigprocmask, 2, &mask, &old, 8);
    return old;
}

static enum probe_reason try_alone(struct job *j)
{
    if (stack_leads_inside(j, j->caller_sp))
        return PROBE_BUSY;
    return j->commit(j->arg) ? PROBE_OK : PROBE_CANNOT_WRITE;
}

static enum probe_reason run(struct job *j)
{
    u8 *stack = heap_pages(STACK_SIZE);
    j->list = heap_pages(MAX_THREADS * sizeof *j->list);
    u64 mask = set_mask(~0ull);                         /* the tracer inherits it */
    for (u32 i = 0; i < TRIES; i++) {
        struct { s64 sec, nsec; } wait = { 0, 100000 * (i < 20 ? 1 : 10) };
        run_tracer(j, stack);
        if (j->result != PROBE_BUSY && j->result != PROBE_CANNOT_STOP)      /* a tracer may be just about to leave */
            break;
        sys2(__NR_nanosleep, &wait, 0);
    }
    set_mask(mask);
    heap_free_pages(j->list, MAX_THREADS * sizeof *j->list);
    heap_free_pages(stack, STACK_SIZE);
    return j->result;
}

enum probe_reason stop_and(const struct probe *p, bool (*commit)(void *), void *arg)
{
    struct job j = { .p = p, .commit = commit, .arg = arg, .pid = sys_getpid(), .caller = sys_gettid() };
    j.caller_sp = (addr_t)__builtin_frame_address(0) + 16;
    return stop_is_alone() ? try_alone(&j) : run(&j);
}

enum probe_reason probe_visit_threads(bool (*visit)(void *, int, u64 *), void *arg)
{
    struct job j = { .visit = visit, .arg = arg, .pid = sys_getpid(), .caller = sys_gettid() };
    lock_take_early(&probe_lock);
    enum probe_reason r = stop_is_alone() ? PROBE_OK : run(&j);
    lock_drop_early(&probe_lock);
    return r;
}
