/* rt_fd.c: the tool's file descriptors, out of the application's way.
 *
 * An application counts on getting 3, then 4. Whatever the tool opens is therefore moved near the limit on descriptors,
 * closed on exec, and remembered, so that the engine can hide it (close_range, /proc/self/fd) and protect it. The
 * definitions replace members of libc.a: open64.o, openat64.o and their nocancel twins, close.o, close_nocancel.o,
 * pipe.o, pipe2.o, dup.o, socket.o, memfd_create.o. */
#include "rt_int.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* A high number costs the kernel a table of that size, so the limit's top is used up to a point only. */
enum { FD_TOP = 16384, FD_ROOM = 256, FD_WORDS = FD_TOP / 64 };

static u64 private_fds[FD_WORDS];

static void remember(int fd, bool is_private)
{
    if (fd < 0 || fd >= FD_TOP)
        return;
    u64 bit = 1ull << fd % 64;
    if (is_private)
        __atomic_or_fetch(&private_fds[fd / 64], bit, __ATOMIC_RELAXED);
    else
        __atomic_and_fetch(&private_fds[fd / 64], ~bit, __ATOMIC_RELAXED);
}

bool rt_fd_is_private(int fd)
{
    return fd >= 0 && fd < FD_TOP && (__atomic_load_n(&private_fds[fd / 64], __ATOMIC_RELAXED) >> fd % 64 & 1);
}

void rt_fd_forget(int fd)
{
    remember(fd, false);
}

int rt_fd_next(int from)
{
    for (int fd = MAX(from, 0); fd < FD_TOP; fd++) {
        u64 rest = __atomic_load_n(&private_fds[fd / 64], __ATOMIC_RELAXED) >> fd % 64;
        if (rest)
            return fd + __builtin_ctzll(rest);
        fd |= 63;
    }
    return -1;
}

static int lowest_private(void)
{
    struct rlimit limit;
    if (sys_failed(sys4(__NR_prlimit64, 0, RLIMIT_NOFILE, 0, &limit)))
        return 64;
    int top = limit.rlim_cur > FD_TOP ? FD_TOP : (int)limit.rlim_cur;
    return top > 2 * FD_ROOM ? top - FD_ROOM : top / 2;
}

/* When the top is full, take what there is further down. */
int rt_fd_protect(int fd)
{
    if (fd < 0 || rt_fd_is_private(fd))
        return fd;
    for (int low = lowest_private(); low > fd; low /= 2) {
        long moved = sys3(__NR_fcntl, fd, F_DUPFD_CLOEXEC, low);
        if (sys_failed(moved))
            continue;
        remember((int)moved, true);
        sys1(__NR_close, fd);
        return (int)moved;
    }
    sys3(__NR_fcntl, fd, F_SETFD, FD_CLOEXEC);
    remember(fd, true);
    return fd;
}

static int protected_result(long raw)
{
    return (int)rt_result(sys_failed(raw) ? raw : rt_fd_protect((int)raw));
}

static int open_at(int dir, const char *path, int flags, va_list ap)
{
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    return protected_result(sys4(__NR_openat, dir, path, flags | O_CLOEXEC, mode));
}

PUBLIC int __openat64(int dir, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    int fd = open_at(dir, path, flags, ap);
    va_end(ap);
    return fd;
}
ALIAS(__libc_openat64, __openat64);
ALIAS(__openat, __openat64);
ALIAS(openat, __openat64);
ALIAS(openat64, __openat64);
ALIAS(__openat_nocancel, __openat64);
ALIAS(__openat64_nocancel, __openat64);

PUBLIC int __open64(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    int fd = open_at(AT_FDCWD, path, flags, ap);
    va_end(ap);
    return fd;
}
ALIAS(__libc_open, __open64);
ALIAS(__libc_open64, __open64);
ALIAS(__open, __open64);
ALIAS(open, __open64);
ALIAS(open64, __open64);
ALIAS(__open_nocancel, __open64);
ALIAS(__open64_nocancel, __open64);

PUBLIC int __close(int fd)
{
    remember(fd, false);
    return (int)rt_result(sys1(__NR_close, fd));
}
ALIAS(__libc_close, __close);
ALIAS(close, __close);
ALIAS(__close_nocancel, __close);

PUBLIC int __pipe2(int fds[2], int flags)
{
    long raw = sys2(__NR_pipe2, fds, flags | O_CLOEXEC);
    if (!sys_failed(raw)) {
        fds[0] = rt_fd_protect(fds[0]);
        fds[1] = rt_fd_protect(fds[1]);
    }
    return (int)rt_result(raw);
}
ALIAS(pipe2, __pipe2);

PUBLIC int __pipe(int fds[2])
{
    return __pipe2(fds, 0);
}
ALIAS(pipe, __pipe);

PUBLIC int __dup(int fd)
{
    return protected_result(sys1(__NR_dup, fd));
}
ALIAS(dup, __dup);

PUBLIC int __socket(int domain, int type, int protocol)
{
    return protected_result(sys3(__NR_socket, domain, type | SOCK_CLOEXEC, protocol));
}
ALIAS(socket, __socket);

PUBLIC int memfd_create(const char *name, unsigned flags)
{
    return protected_result(sys2(__NR_memfd_create, name, flags | MFD_CLOEXEC));
}
