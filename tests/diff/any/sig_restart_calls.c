/* Which calls restart after a handler with SA_RESTART and which give EINTR: poll, select, wait,
 * semaphores, sockets, futex. */
#include "t.h"
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>

static volatile int count;
static int sp[2], pfd[2];
static sem_t sem;
static pid_t child;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    if (++count == 3) {                         /* let the call end at last */
        write(sp[1], "x", 1);
        sem_post(&sem);
        if (child > 0)
            kill(child, SIGKILL);
    }
}

static void timer(int usec)
{
    struct itimerval it = {{0, usec}, {0, usec}};
    count = 0;
    setitimer(ITIMER_REAL, &it, NULL);
}

#define TRY(name, call)                                                        \
    do {                                                                       \
        timer(10000);                                                          \
        errno = 0;                                                             \
        long r = (long)(call);                                                 \
        int e = errno;                                                         \
        timer(0);                                                              \
        printf("%s: %s errno %d\n", name, r < 0 ? "failed" : "done", r < 0 ? e : 0); \
    } while (0)

int main(void)
{
    char c;
    t_handle(SIGALRM, handler, SA_RESTART);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sp) == 0 && pipe(pfd) == 0);
    sem_init(&sem, 0, 0);
    struct pollfd p = {.fd = pfd[0], .events = POLLIN};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pfd[0], &set);
    int ep = epoll_create1(0);
    struct epoll_event ev;
    epoll_ctl(ep, EPOLL_CTL_ADD, pfd[0], &(struct epoll_event){.events = EPOLLIN});
    TRY("recv", recv(sp[0], &c, 1, 0));
    TRY("poll", poll(&p, 1, -1));
    TRY("select", select(pfd[0] + 1, &set, NULL, NULL, NULL));
    TRY("epoll_wait", epoll_wait(ep, &ev, 1, -1));
    while (sem_trywait(&sem) == 0)
        ;
    TRY("sem_wait", sem_wait(&sem));
    child = fork();
    if (child == 0)
        for (;;)
            pause();
    TRY("waitpid", waitpid(child, NULL, 0));
    TRY("usleep", usleep(3000000));
    TRY("sigsuspend", sigsuspend(&(sigset_t){0}));
    return DONE();
}
