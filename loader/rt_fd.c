/* rt_fd.c: descriptors that are Cotter's, out of the application's way.
 *
 * An application counts on getting 3, then 4. Whatever the tool opens is therefore moved near the limit on descriptors,
 * closed on exec, and remembered, so that the engine can hide it (close_range, /proc/self/fd) and protect it. Nothing here
 * needs a libc. */
#include "rt_int.h"
#include <fcntl.h>
#include <sys/resource.h>

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
