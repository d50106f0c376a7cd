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

static bool names_own_exe(const char *path)
{
    char own[LONGEST];
    if (!strcmp(path, "/proc/self/exe") || !strcmp(path, "/proc/thread-self/exe"))
        return true;
    ct_format(own, sizeof own, "/proc/%d/exe", sys_getpid());
    return !strcmp(path, own);
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

long sys_path_second(struct thread *t, struct syscall_args *a)
{
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
static bool has_mem_file;                         /* the program opened a /proc/.../mem */

static void note_mem_file(addr_t path)
{
    char text[LONGEST];
    if (has_mem_file || !copy_path(path, text) || strncmp(text, "/proc/", 6))
        return;
    size_t n = strlen(text);
    has_mem_file = !strcmp(text + n - 4, "/mem");
}

long sys_open(struct thread *t, struct syscall_args *a)
{
    note_mem_file((addr_t)a->a[0]);
    return sys_path_first(t, a);
}

long sys_openat(struct thread *t, struct syscall_args *a)
{
    note_mem_file((addr_t)a->a[1]);
    return sys_path_second(t, a);
}

static long then_forget(struct thread *t, struct syscall_args *a)
{
    long r = syscall_kernel(t, a);
    cache_lock_take();
    cache_flush_all();
    cache_lock_drop();
    return r;
}

long sys_write(struct thread *t, struct syscall_args *a) { return has_mem_file ? then_forget(t, a) : SYS_PASS; }

long sys_vm_write(struct thread *t, struct syscall_args *a)
{
    return (int)a->a[0] == sys_getpid() ? then_forget(t, a) : SYS_PASS;
}
