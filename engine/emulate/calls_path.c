/* calls_path.c: paths that name something else under Cotter than natively.
 *
 * After a user-space exec the kernel believes that the process still runs the launcher: /proc/self/exe would tell. Calls
 * that follow the link are given the program's own path instead; calls that read it are answered. */
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/path.h"
#include "engine/emulate/smc.h"
#include "engine/engine.h"

enum { LONGEST = 40 };                            /* /proc/PID/task/TID/exe */

static bool copy_path(addr_t from, char *to)
{
    for (u32 n = 0; n < LONGEST; n++) {
        if (!mem_copy_safely(&to[n], (void *)(from + n), 1))
            return false;
        if (!to[n])
            return true;
    }
    return false;
}

/* A decimal number at *p, which moves behind it; -1: there is none. */
static long number(const char **p)
{
    const char *end;
    long n = (long)str_to_u64(*p, &end);
    bool is_number = end != *p;
    *p = end;
    return is_number ? n : -1;
}

static bool skip(const char **p, const char *word)
{
    size_t n = strlen(word);
    bool is_there = !strncmp(*p, word, n);
    *p += is_there ? n : 0;
    return is_there;
}

/* Any thread names the process. */
static bool is_own_thread(int tid)
{
    bool is_found = false;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        is_found |= t->tid == tid;
    lock_drop(thr_lock());
    return is_found || tid == sys_getpid();
}

/* /proc/{self, thread-self, PID}[/task/TID]/exe */
static bool names_own_exe(const char *path)
{
    const char *p = path;
    if (!skip(&p, "/proc/"))
        return false;
    if (!skip(&p, "self/") && !skip(&p, "thread-self/") && (number(&p) != sys_getpid() || !skip(&p, "/")))
        return false;
    if (skip(&p, "task/") && (!is_own_thread((int)number(&p)) || !skip(&p, "/")))
        return false;
    return !strcmp(p, "exe");
}

bool path_is_own_exe(addr_t path)
{
    char text[LONGEST];
    return path && copy_path(path, text) && names_own_exe(text);
}

static void redirect(struct syscall_args *a, u32 arg)
{
    if (engine_handoff->mode == HANDOFF_EXEC && path_is_own_exe((addr_t)a->a[arg]))
        a->a[arg] = (long)engine_handoff->program;
}

long sys_path_first(struct thread *t, struct syscall_args *a)
{
    redirect(a, 0);
    return SYS_PASS;
}

/* Calls with a directory and flags: those that do not follow a link see the link itself, which looks as it does natively. */
static bool follows(const struct syscall_args *a)
{
    enum { AT_SYMLINK_NOFOLLOW = 0x100 };
    switch (a->nr) {
    case __NR_statx: return !(a->a[2] & AT_SYMLINK_NOFOLLOW);
    case __NR_newfstatat: case __NR_faccessat2: return !(a->a[3] & AT_SYMLINK_NOFOLLOW);
    default: return true;
    }
}

long sys_path_second(struct thread *t, struct syscall_args *a)
{
    if (follows(a))
        redirect(a, 1);
    return SYS_PASS;
}

static long answer(addr_t to, long size)
{
    const char *path = engine_handoff->program;
    long n = MIN((long)strlen(path), size);
    if (size <= 0)
        return -E_INVAL;
    return smc_write((void *)to, path, (size_t)n) ? n : -E_FAULT;
}

long sys_readlink(struct thread *t, struct syscall_args *a)
{
    bool ours = engine_handoff->mode == HANDOFF_EXEC && path_is_own_exe((addr_t)a->a[0]);
    return ours ? answer((addr_t)a->a[1], a->a[2]) : SYS_PASS;
}

long sys_readlinkat(struct thread *t, struct syscall_args *a)
{
    bool ours = engine_handoff->mode == HANDOFF_EXEC && path_is_own_exe((addr_t)a->a[1]);
    return ours ? answer((addr_t)a->a[2], a->a[3]) : SYS_PASS;
}

/* ---- writes past the page protection: /proc/self/mem and process_vm_writev. All code may have changed. ---- */
static bool has_mem_file;                         /* the program has a /proc/.../mem open for writing */
enum { O_ACCMODE = 3, O_NOFOLLOW = 0400000 };

/* Whatever the path was called: what is open now? */
static void note_mem_file(long fd)
{
    char link[32], text[LONGEST];
    ct_format(link, sizeof link, "/proc/self/fd/%ld", fd);
    long n = sys4(__NR_readlinkat, -100, link, text, sizeof text - 1);
    if (n < 4 || n >= (long)sizeof text - 1)
        return;
    text[n] = 0;
    if (!strncmp(text, "/proc/", 6) && !strcmp(text + n - 4, "/mem"))
        has_mem_file = true;
}

static long open_path(struct thread *t, struct syscall_args *a, u32 arg, u64 flags)
{
    if (!(flags & O_NOFOLLOW))
        redirect(a, arg);
    if (!(flags & O_ACCMODE) || has_mem_file)
        return SYS_PASS;
    long r = syscall_kernel(t, a);
    if (r >= 0)
        note_mem_file(r);
    return r;
}

long sys_open(struct thread *t, struct syscall_args *a) { return open_path(t, a, 0, (u64)a->a[1]); }
long sys_openat(struct thread *t, struct syscall_args *a) { return open_path(t, a, 1, (u64)a->a[2]); }

long sys_openat2(struct thread *t, struct syscall_args *a)
{
    u64 flags = 0;
    return mem_copy_safely(&flags, (void *)a->a[2], 8) ? open_path(t, a, 1, flags) : SYS_PASS;
}

static long then_forget(struct thread *t, struct syscall_args *a)
{
    long r = syscall_kernel(t, a);
    cache_lock_take();
    cache_flush_all();
    cache_lock_drop();
    return r;
}

long sys_write(struct thread *t, struct syscall_args *a)
{
    smc_file_written((int)a->a[0]);
    return has_mem_file ? then_forget(t, a) : SYS_PASS;
}

long sys_vm_write(struct thread *t, struct syscall_args *a)
{
    return is_own_thread((int)a->a[0]) ? then_forget(t, a) : SYS_PASS;
}
