/* read on a pipe interrupted by a signal: restarted with SA_RESTART, EINTR without; write ends it from the handler. */
#include "t.h"
#include <sys/time.h>

static int fds[2], count;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    if (++count == 3)
        write(fds[1], "data", 4);
}

int main(void)
{
    char buf[16];
    CHECK(pipe(fds) == 0);
    struct itimerval it = {{0, 20000}, {0, 20000}}, off = {{0, 0}, {0, 0}};
    t_handle(SIGALRM, handler, SA_RESTART);
    setitimer(ITIMER_REAL, &it, NULL);
    ssize_t n = read(fds[0], buf, sizeof buf);
    setitimer(ITIMER_REAL, &off, NULL);
    printf("restart: %zd, three signals %d\n", n, count >= 3);
    count = 10;
    t_handle(SIGALRM, handler, 0);
    setitimer(ITIMER_REAL, &it, NULL);
    n = read(fds[0], buf, sizeof buf);
    int e = errno;
    setitimer(ITIMER_REAL, &off, NULL);
    printf("no restart: %zd errno %d\n", n, e);
    count = 10;
    t_handle(SIGALRM, handler, SA_RESTART);
    setitimer(ITIMER_REAL, &it, NULL);
    struct timespec ts = {5, 0}, left;
    n = nanosleep(&ts, &left);
    e = errno;
    setitimer(ITIMER_REAL, &off, NULL);
    printf("nanosleep: %zd errno %d left %d\n", n, e, left.tv_sec == 4);
    setitimer(ITIMER_REAL, &it, NULL);
    n = pause();
    printf("pause: %zd errno %d\n", n, errno);
    setitimer(ITIMER_REAL, &off, NULL);
    return DONE();
}
