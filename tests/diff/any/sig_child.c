/* SIGCHLD: a handler that reaps a storm of children, si_status and si_code of each end, SA_NOCLDWAIT and SA_NOCLDSTOP.
 * test-follow: yes */
#include "t.h"

static volatile int reaped, sum;
static void reap(int signo, siginfo_t *si, void *ctx)
{
    int status, saved = errno;
    while (waitpid(-1, &status, WNOHANG) > 0)
        reaped++, sum += WEXITSTATUS(status);
    errno = saved;
}
static void tell(int signo, siginfo_t *si, void *ctx) { t_say("code %d status %d\n", si->si_code, si->si_status); }

int main(void)
{
    t_handle(SIGCHLD, reap, SA_RESTART);
    for (int i = 0; i < 60; i++)
        if (fork() == 0)
            _exit(i & 7);
    while (reaped < 60)
        usleep(1000);
    t_say("reaped %d sum %d\n", reaped, sum);
    t_handle(SIGCHLD, tell, 0);
    for (int i = 0; i < 2; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            if (i)
                raise(SIGKILL);
            _exit(9);
        }
        int status;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    t_handle(SIGCHLD, tell, SA_NOCLDWAIT);
    if (fork() == 0)
        _exit(1);
    while (wait(NULL) >= 0 || errno == EINTR)
        ;
    t_say("nothing to wait for: %d\n", errno == ECHILD);
    return DONE();
}
