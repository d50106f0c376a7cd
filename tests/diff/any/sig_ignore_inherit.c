/* Ignored signals and the mask survive exec, handlers do not; shown by the same program after exec.
 * test-follow: yes */
#include "t.h"

static void handler(int signo) { }

int main(int argc, char **argv)
{
    if (argc == 1) {
        signal(SIGUSR1, SIG_IGN);
        signal(SIGUSR2, handler);
        sigset_t set;
        sigemptyset(&set), sigaddset(&set, SIGHUP);
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(SIGHUP);
        execl("/proc/self/exe", argv[0], "again", NULL);
        return 1;
    }
    struct sigaction a, b;
    sigaction(SIGUSR1, NULL, &a), sigaction(SIGUSR2, NULL, &b);
    sigset_t set, pend;
    sigprocmask(SIG_BLOCK, NULL, &set);
    sigpending(&pend);
    printf("ignored %d default %d blocked %d pending %d\n", a.sa_handler == SIG_IGN, b.sa_handler == SIG_DFL,
           sigismember(&set, SIGHUP),
           sigismember(&pend, SIGHUP));
    return DONE();
}
