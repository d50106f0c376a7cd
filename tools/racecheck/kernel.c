/* kernel.c: see kernel.h. A pipe has one clock for both ends; sockets share one, since their ends are not known to belong together,
 * as do the things that have no inode of their own (eventfd, timerfd). */
#include "tool.h"
#include "clock.h"
#include "kernel.h"
#include <sys/stat.h>
#include <sys/syscall.h>

enum { GIVES = 1, TAKES = 2, NO_FD = -1 };
static const struct { UINT16 number; INT8 how, fd; } calls[] = {        /* fd: the argument; NO_FD: all that there are */
    { SYS_write, GIVES, 0 }, { SYS_writev, GIVES, 0 }, { SYS_sendto, GIVES, 0 }, { SYS_sendmsg, GIVES, 0 }, { SYS_sendmmsg, GIVES, 0 },
    { SYS_close, GIVES, 0 }, { SYS_shutdown, GIVES, 0 }, { SYS_connect, GIVES, 0 }, { SYS_sendfile, GIVES, 0 },
    { SYS_splice, GIVES, 2 }, { SYS_tee, GIVES, 1 }, { SYS_vmsplice, GIVES, 0 },
    { SYS_read, TAKES, 0 }, { SYS_readv, TAKES, 0 }, { SYS_recvfrom, TAKES, 0 }, { SYS_recvmsg, TAKES, 0 }, { SYS_recvmmsg, TAKES, 0 },
    { SYS_accept, TAKES, 0 }, { SYS_accept4, TAKES, 0 }, { SYS_splice, TAKES, 0 }, { SYS_tee, TAKES, 0 },
    { SYS_epoll_ctl, GIVES, NO_FD }, { SYS_poll, TAKES, NO_FD }, { SYS_ppoll, TAKES, NO_FD }, { SYS_select, TAKES, NO_FD },
    { SYS_pselect6, TAKES, NO_FD }, { SYS_epoll_wait, TAKES, NO_FD }, { SYS_epoll_pwait, TAKES, NO_FD }, { SYS_epoll_pwait2, TAKES, NO_FD },
    { SYS_io_uring_enter, GIVES | TAKES, NO_FD }, { SYS_io_submit, GIVES, NO_FD }, { SYS_io_getevents, TAKES, NO_FD },
    { SYS_kill, GIVES, NO_FD }, { SYS_tkill, GIVES, NO_FD }, { SYS_tgkill, GIVES, NO_FD }, { SYS_rt_sigqueueinfo, GIVES, NO_FD },
    { SYS_rt_tgsigqueueinfo, GIVES, NO_FD }, { SYS_rt_sigtimedwait, TAKES, NO_FD },
    { SYS_msgsnd, GIVES, NO_FD }, { SYS_msgrcv, TAKES, NO_FD }, { SYS_semop, GIVES | TAKES, NO_FD }, { SYS_semtimedop, GIVES | TAKES, NO_FD },
    { SYS_mq_timedsend, GIVES, NO_FD }, { SYS_mq_timedreceive, TAKES, NO_FD },
};
enum { N_CALLS = sizeof calls / sizeof *calls };
static const struct kernel_hooks *hooks;
static PIN_LOCK lock;                           /* all clocks below */
static struct clock everything, sockets, nameless;
static struct map pipes;                        /* inode -> struct clock */
static __thread const struct clock *to_take;    /* when the running call has succeeded */

VOID kernel_begin(const struct kernel_hooks *h)
{
    PIN_InitLock(&lock);
    hooks = h;
}

/* NULL: nothing that hands over: a file, a terminal. */
static struct clock *clock_of_file(int fd)
{
    struct stat s;
    if (fd < 0 || fstat(fd, &s))
        return NULL;
    if (S_ISSOCK(s.st_mode))
        return &sockets;
    if (!(s.st_mode & S_IFMT))
        return &nameless;
    if (!S_ISFIFO(s.st_mode))
        return NULL;
    UINT64 key[2] = { s.st_dev, s.st_ino }, *known = map_at(&pipes, hash_bytes(key, sizeof key, 0));
    if (!*known)
        *known = (UINT64)need(sizeof(struct clock));
    return (struct clock *)*known;
}

static VOID order(INT8 how, struct clock *c)
{
    if (how & GIVES) {
        hooks->give(c);
        if (c != &everything)
            clock_join(&everything, c);
    }
    if (how & TAKES)
        to_take = c;
}

VOID kernel_before(const CONTEXT *ctxt, SYSCALL_STANDARD std)
{
    ADDRINT n = PIN_GetSyscallNumber(ctxt, std);
    to_take = NULL;
    for (int i = 0; i < N_CALLS; i++) {
        if (calls[i].number != n)
            continue;
        PIN_GetLock(&lock, 1);
        struct clock *c = calls[i].fd < 0 ? &everything : clock_of_file((int)PIN_GetSyscallArgument(ctxt, std, (UINT32)calls[i].fd));
        if (c)
            order(calls[i].how, c);
        PIN_ReleaseLock(&lock);
    }
}

static VOID take(const struct clock *c)
{
    PIN_GetLock(&lock, 1);
    hooks->take(c);
    PIN_ReleaseLock(&lock);
}

VOID kernel_after(const CONTEXT *ctxt, SYSCALL_STANDARD std)
{
    if (to_take && (ADDRINT)PIN_GetSyscallReturn(ctxt, std) < -4095ul)
        take(to_take);
    to_take = NULL;
}

VOID kernel_signal(VOID) { take(&everything); }
VOID kernel_forked(VOID) { PIN_InitLock(&lock); }
