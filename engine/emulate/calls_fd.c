/* calls_fd.c: the engine's descriptors are none of the application's. */
#include "base/sys.h"
#include "base/print.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/smc.h"
#include "loader/rt.h"

enum { CLOSE_RANGE_UNSHARE = 2, CLOSE_RANGE_CLOEXEC = 4 };

long sys_close(struct thread *t, struct syscall_args *a)
{
    return rt_fd_is_private((int)a->a[0]) ? -E_BADF : SYS_PASS;
}

/* In the gaps between private descriptors. */
long sys_close_range(struct thread *t, struct syscall_args *a)
{
    u32 first = (u32)a->a[0], last = (u32)a->a[1], flags = (u32)a->a[2];
    if (first > last)
        return -E_INVAL;
    while (first <= last) {
        int private = first < 0x7fffffffu ? rt_fd_next((int)first) : -1;
        bool hit = private >= 0 && (u32)private <= last;
        u32 to = hit ? (u32)private - 1 : last;
        if (!hit || (u32)private > first) {
            long r = sys3(__NR_close_range, first, to, flags);
            if (r)
                return r;
        }
        if (!hit)
            break;
        first = (u32)private + 1;
    }
    return 0;
}

/* Descriptors of ours do not exist for the program: copying from one fails, and the place of one is not to be had, as
 * if another thread were just opening it. */
long sys_dup2(struct thread *t, struct syscall_args *a)
{
    if (rt_fd_is_private((int)a->a[0]))
        return -E_BADF;
    return rt_fd_is_private((int)a->a[1]) ? -E_BUSY : SYS_PASS;
}

/* ---- /proc/self/fd: daemons close whatever is listed there ---- */
enum { RECORD_SIZE_AT = 16, LARGEST_RECORD = 512 };

/* Of this process: /proc/PID/fd, /proc/PID/task/TID/fdinfo. */
static bool lists_descriptors(long fd)
{
    char link[32], text[64], own[24];
    ct_format(link, sizeof link, "/proc/self/fd/%ld", fd);
    long n = sys4(__NR_readlinkat, -100, link, text, sizeof text - 1);
    if (n < 4 || n >= (long)sizeof text - 1)
        return false;
    text[n] = 0;
    ct_format(own, sizeof own, "/proc/%d/", sys_getpid());
    return !strncmp(text, own, strlen(own)) && (!strcmp(text + n - 3, "/fd") || (n > 7 && !strcmp(text + n - 7, "/fdinfo")));
}

static bool names_private(const char *name)
{
    int fd = 0;
    for (; *name >= '0' && *name <= '9'; name++)
        fd = fd * 10 + (*name - '0');
    return !*name && fd && rt_fd_is_private(fd);
}

/* The records in [at, at + n) without those of private descriptors: their new length; or an error. */
static long leave_out_private(addr_t at, long n, u32 name_at)
{
    union { u8 bytes[LARGEST_RECORD + 1]; char text[LARGEST_RECORD + 1]; } r;
    long to = 0;
    for (long from = 0; from < n;) {
        u16 size;
        if (!mem_copy_safely(&size, (void *)(at + from + RECORD_SIZE_AT), 2))
            return -E_FAULT;
        if (size <= name_at || size > LARGEST_RECORD || !mem_copy_safely(r.bytes, (void *)(at + from), size))
            return n;                                       /* nothing that /proc would list */
        r.bytes[size] = 0;
        if (!names_private(r.text + name_at)) {
            if (to != from && !smc_write((void *)(at + to), r.bytes, size))
                return -E_FAULT;
            to += size;
        }
        from += size;
    }
    return to;
}

/* Nothing left of what the kernel gave is not the end of the folder: there may be more. */
static long list_folder(struct thread *t, struct syscall_args *a, u32 name_at)
{
    if (rt_fd_next(0) < 0 || !lists_descriptors(a->a[0]))
        return SYS_PASS;
    for (;;) {
        long n = syscall_kernel(t, a);
        if (n <= 0)
            return n;
        n = leave_out_private((addr_t)a->a[1], n, name_at);
        if (n)
            return n;
    }
}

long sys_getdents(struct thread *t, struct syscall_args *a) { return list_folder(t, a, 18); }
long sys_getdents64(struct thread *t, struct syscall_args *a) { return list_folder(t, a, 19); }
