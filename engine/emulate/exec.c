/* exec.c: see exec.h. A followed exec runs the launcher again:
 *   cotter FOLLOW_ARGS... --exec-as PATH -- ARGV...      with the environment of the application's own call.
 * Whether the kernel would execute the file at all is found out first, so that the application gets its own error. */
#include "engine/emulate/exec.h"
#include "base/heap.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/emulate/path.h"
#include "engine/emulate/process.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/tracer.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/log.h"
#include "engine/stats.h"
#include "loader/exe.h"

enum { AT_FDCWD = -100, AT_EMPTY_PATH = 0x1000, X_OK = 1, MAX_ARGS = 1 << 20 };

struct target { int dirfd; const char *path; int flags; };

static struct target target_of(const struct syscall_args *a)
{
    if (a->nr == __NR_execve)
        return (struct target){ AT_FDCWD, (const char *)a->a[0], 0 };
    return (struct target){ (int)a->a[0], (const char *)a->a[1], (int)a->a[4] };
}

static bool read_byte(addr_t at, char *out) { return mem_copy_safely(out, (void *)at, 1); }

static bool is_accessible(const struct syscall_args *a)
{
    struct target x = target_of(a);
    char first;
    if (!x.path || !read_byte((addr_t)x.path, &first))
        return false;
    if (!first)
        return x.flags & AT_EMPTY_PATH;
    return sys4(__NR_faccessat2, x.dirfd, x.path, X_OK, 0x200) == 0 ||          /* AT_EACCESS */
           sys3(__NR_faccessat, x.dirfd, x.path, X_OK) == 0;
}

/* Pointers of a NULL-ended vector in the application's memory; -1 when it cannot be read. */
static long count(addr_t vector)
{
    u64 p;
    for (long n = 0; n < MAX_ARGS; n++) {
        if (!mem_copy_safely(&p, (void *)(vector + (u64)n * 8), 8))
            return -1;
        if (!p)
            return n;
    }
    return -1;
}

/* A command line of the tool's own: it finds the program by its path. */
static long exec_with_command(const struct exec_plan *p, addr_t argv, addr_t envp, long n)
{
    const struct exec_child *c = &p->child;
    size_t size = ((u64)c->n_command + (u64)n + 2) * sizeof(u64);
    u64 *v = heap_alloc(size), *w = v;
    for (long i = 0; i < c->n_command; i++)
        *w++ = (u64)c->command[i];
    *w++ = (u64)p->path;
    if (n > 1)
        memcpy(w, (u64 *)argv + 1, ((u64)n - 1) * 8);
    proc_leave_behind(v, size);
    long r = sys3(__NR_execve, c->command[0], v, envp);
    proc_leave_behind(NULL, 0);
    heap_free(v, size);
    return r;
}

static long exec_followed(const struct syscall_args *a, const struct exec_plan *plan)
{
    const char *path = plan->path;
    addr_t argv = (addr_t)(a->nr == __NR_execve ? a->a[1] : a->a[2]);
    addr_t envp = (addr_t)(a->nr == __NR_execve ? a->a[2] : a->a[3]);
    long n = argv ? count(argv) : 0;
    if (n < 0)
        return -E_FAULT;
    if (plan->child.n_command)
        return exec_with_command(plan, argv, envp, n);
    u32 extra = engine_handoff->n_follow_args;
    size_t size = (1 + extra + 3 + (u64)n + 1) * sizeof(u64);
    u64 *v = heap_alloc(size), *w = v;
    *w++ = (u64) "cotter";
    const char *p = engine_handoff->follow_args;
    for (u32 i = 0; i < extra; i++, p += strlen(p) + 1)
        *w++ = (u64)p;
    *w++ = (u64) "--exec-as";
    *w++ = (u64)path;
    *w++ = (u64) "--";
    memcpy(w, (void *)argv, (u64)n * 8);
    __atomic_add_fetch(&family->followed, 1, __ATOMIC_RELAXED);
    proc_leave_behind(v, size);
    long r = sys3(__NR_execve, engine_handoff->launcher_path, v, envp);
    proc_leave_behind(NULL, 0);
    __atomic_sub_fetch(&family->followed, 1, __ATOMIC_RELAXED);
    heap_free(v, size);
    return r;
}

/* The file by a path that another process image can use: /proc/self/exe would name the launcher there. */
static bool path_of(const struct syscall_args *a, char *to, size_t size)
{
    struct target x = target_of(a);
    char link[64];
    size_t n = strlen(x.path);
    if (path_is_own_exe((addr_t)x.path)) {
        n = ct_format(to, size, "%s", engine_handoff->program);
    } else if (x.path[0] == '/' || (x.dirfd == AT_FDCWD && n)) {
        n = ct_format(to, size, "%s", x.path);
    } else {
        ct_format(link, sizeof link, "/proc/self/fd/%d", x.dirfd);
        long r = sys4(__NR_readlinkat, AT_FDCWD, link, to, size - 1);
        if (r <= 0)
            return false;
        n = (size_t)r + ct_format(to + r, size - (size_t)r, *x.path ? "/%s" : "%s", x.path);
    }
    return n < size;
}

/* A debugger's child: the debugger is to find the program it asked for, and its own breakpoints in it. */
static bool is_for_tracer(const char *path)
{
    if (!tracer_has_come())
        return false;
    if (!opt->quiet)
        ct_print(log_stderr(), "cotter: %s runs without Cotter: the process is being traced\n", path);
    return true;
}

/* A format that only the kernel knows of. */
static bool has_other_formats(void) { return sys3(__NR_faccessat, AT_FDCWD, "/proc/sys/fs/binfmt_misc/status", 0) == 0; }

static bool may_succeed(enum exe_verdict v) { return v == EXE_OK || v > EXE_LOOP || ((v == EXE_FORMAT || v == EXE_BAD_ELF) && has_other_formats()); }

/* Once is enough: a script may run sudo a thousand times. */
static void tell_natively(const char *path, enum exe_verdict why)
{
    if (opt->follow && why > EXE_LOOP && !opt->quiet && !__atomic_exchange_n(&family->has_told, 1, __ATOMIC_RELAXED))
        ct_print(log_stderr(), "cotter: %s runs without Cotter: %s\n", path, exe_why(why));
}

void exec_decide(const struct syscall_args *a, struct exec_plan *p)
{
    struct exe exe;                              /* on the stack: vfork children of several threads are here at once */
    addr_t argv = (addr_t)(a->nr == __NR_execve ? a->a[1] : a->a[2]);
    p->may_succeed = is_accessible(a);
    bool is_known = p->may_succeed && path_of(a, p->path, sizeof p->path);
    enum exe_verdict verdict = is_known ? exe_examine(p->path, &exe) : EXE_OK;
    p->may_succeed &= may_succeed(verdict);
    if (p->may_succeed)
        tell_natively(p->path, verdict);
    p->is_followed = opt->follow && is_known && verdict == EXE_OK && !is_for_tracer(p->path);
    p->child = (struct exec_child){ .path = p->path, .argv = (const u64 *)argv, .argc = argv ? count(argv) : 0 };
    if (p->is_followed && p->child.argc >= 0)
        p->is_followed = hook_follow(&p->child);
}

static long exec_natively(const struct syscall_args *a)
{
    u32 argv = a->nr == __NR_execve ? 1 : 2;
    if (engine_handoff->mode == HANDOFF_EXEC && path_is_own_exe((addr_t)target_of(a).path))
        return sys3(__NR_execve, engine_handoff->program, a->a[argv], a->a[argv + 1]);
    return sys_raw6(a->nr, a->a[0], a->a[1], a->a[2], a->a[3], a->a[4], a->a[5]);
}

long exec_perform(const struct syscall_args *a, const struct exec_plan *p)
{
    log_event("exec%s", p->is_followed ? ", followed" : "");
    if (p->is_followed)
        return exec_followed(a, p);
    return exec_natively(a);
}
