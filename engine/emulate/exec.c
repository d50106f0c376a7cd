/* exec.c: see exec.h. A followed exec runs the launcher again:
 *   cotter FOLLOW_ARGS... --exec-as PATH -- ARGV...      with the environment of the application's own call.
 * Whether the kernel would execute the file at all is found out first, so that the application gets its own error. */
#include "engine/emulate/exec.h"
#include "base/heap.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/emulate/signal.h"
#include "engine/engine.h"
#include "engine/stats.h"

enum { AT_FDCWD = -100, AT_EMPTY_PATH = 0x1000, X_OK = 1, MAX_ARGS = 1 << 20 };

struct target { int dirfd; const char *path; int flags; bool empty; };

static struct target target_of(const struct syscall_args *a)
{
    if (a->nr == __NR_execve)
        return (struct target){ AT_FDCWD, (const char *)a->a[0], 0, false };
    return (struct target){ (int)a->a[0], (const char *)a->a[1], (int)a->a[4], false };
}

static bool read_byte(addr_t at, char *out) { return mem_copy_safely(out, (void *)at, 1); }

bool exec_may_succeed(const struct syscall_args *a)
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

/* An ELF or a script. Anything else fails natively too (ENOEXEC), and must fail there. */
static bool is_runnable(const struct target *x)
{
    char head[4] = { 0 };
    long fd = sys4(__NR_openat, x->dirfd, x->path, 02000000, 0);
    if (sys_failed(fd))
        return false;
    sys3(__NR_read, fd, head, 4);
    sys1(__NR_close, fd);
    return (head[0] == 0x7f && head[1] == 'E') || (head[0] == '#' && head[1] == '!');
}

static long exec_followed(const struct syscall_args *a, const struct target *x)
{
    addr_t argv = (addr_t)(a->nr == __NR_execve ? a->a[1] : a->a[2]);
    addr_t envp = (addr_t)(a->nr == __NR_execve ? a->a[2] : a->a[3]);
    long n = argv ? count(argv) : 0;
    if (n < 0)
        return -E_FAULT;
    u32 extra = 1;
    const char *follow = engine_handoff->follow_args;
    for (const char *p = follow; *p; p += strlen(p) + 1)
        extra++;
    size_t size = (extra + 3 + (u64)n + 1) * sizeof(u64);
    u64 *v = heap_alloc(size), *w = v;
    char via_fd[64];
    u64 path = (u64)x->path;
    if (x->dirfd != AT_FDCWD && ((const char *)path)[0] != '/') {
        ct_format(via_fd, sizeof via_fd, "/proc/self/fd/%d%s", x->dirfd, *x->path ? "/" : "");
        if (*x->path) {
            heap_free(v, size);
            return sys_raw6(a->nr, a->a[0], a->a[1], a->a[2], a->a[3], a->a[4], 0);
        }
        path = (u64)via_fd;
    }
    *w++ = (u64) "cotter";
    for (const char *p = follow; *p; p += strlen(p) + 1)
        *w++ = (u64)p;
    *w++ = (u64) "--exec-as";
    *w++ = path;
    *w++ = (u64) "--";
    memcpy(w, (void *)argv, (u64)n * 8);
    stats.children_followed++;
    long r = sys3(__NR_execve, engine_handoff->launcher_path, v, envp);
    heap_free(v, size);
    return r;
}

long exec_perform(const struct syscall_args *a)
{
    struct target x = target_of(a);
    if (opt->follow && exec_may_succeed(a) && is_runnable(&x))
        return exec_followed(a, &x);
    stats.children_not_followed++;
    return sys_raw6(a->nr, a->a[0], a->a[1], a->a[2], a->a[3], a->a[4], a->a[5]);
}
