/* socktime.c: see socktime.h. */
#include "launcher/socktime.h"
#include "launcher/incall.h"
#include "launcher/remote.h"
#include "launcher/tracee.h"
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { US_PER_S = 1000000, MAX_SHORTENED = 256, WAIT_US = 10000000, NAP_US = 50 };

/* Which of the two it is; 0: none. */
static int option_of(long call)
{
    switch (call) {
    case SYS_read: case SYS_readv: case SYS_recvfrom: case SYS_recvmsg: case SYS_accept: case SYS_accept4: return SO_RCVTIMEO;
    case SYS_write: case SYS_writev: case SYS_sendto: case SYS_sendmsg: case SYS_connect: return SO_SNDTIMEO;
    default: return 0;
    }
}

bool socktime_is_candidate(long call) { return option_of(call) != 0; }

/* The target's descriptor, in this process. */
static int take(pid_t pid, int fd)
{
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    int own = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, fd, 0);
    if (process >= 0)
        close(process);
    return own;
}

int64_t socktime_of(long call, pid_t pid, int fd)
{
    struct timeval t = {0};
    socklen_t size = sizeof t;
    int own = option_of(call) ? take(pid, fd) : -1;
    if (own < 0)
        return 0;
    bool ok = !getsockopt(own, SOL_SOCKET, option_of(call), &t, &size);
    close(own);
    return ok ? t.tv_sec * (int64_t)US_PER_S + t.tv_usec : 0;
}

static struct shortened { int own, option; struct timeval before; long call; pid_t pid, tid; } list[MAX_SHORTENED];
static int n;

bool socktime_shorten(long call, pid_t pid, pid_t tid, int fd, int64_t left_us)
{
    int64_t us = left_us > 0 ? left_us : 1;                     /* 0 would be: for ever */
    struct timeval t = {us / US_PER_S, us % US_PER_S};
    struct shortened s = {.own = n < MAX_SHORTENED ? take(pid, fd) : -1, .option = option_of(call), .call = call, .pid = pid, .tid = tid};
    socklen_t size = sizeof s.before;
    if (s.own < 0)
        return false;
    if (getsockopt(s.own, SOL_SOCKET, s.option, &s.before, &size) || setsockopt(s.own, SOL_SOCKET, s.option, &t, sizeof t)) {
        close(s.own);
        return false;
    }
    list[n++] = s;
    return true;
}

/* In the call, asleep; or past it, which looks the same when it is in the next one: then it is late already. */
static bool is_waiting(const struct shortened *s)
{
    int fd;
    char state = remote_state(s->pid, s->tid);
    return !state || (state == 'S' && incall_number(s->pid, s->tid, &fd) >= 0);
}

void socktime_restore(void)
{
    for (int64_t end = now_us() + WAIT_US; n > 0; n--) {
        struct shortened *s = &list[n - 1];
        while (!is_waiting(s) && now_us() < end)
            nap_us(NAP_US);
        setsockopt(s->own, SOL_SOCKET, s->option, &s->before, sizeof s->before);
        close(s->own);
    }
}
