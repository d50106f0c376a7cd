/* rt_open.c: what makes descriptors in the tool's libc. The definitions replace members of libc.a: open64.o, openat64.o and
 * their nocancel twins, close.o, close_nocancel.o, pipe.o, pipe2.o, dup.o, socket.o, memfd_create.o. */
#include "rt_int.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/socket.h>

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
    rt_fd_forget(fd);
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
