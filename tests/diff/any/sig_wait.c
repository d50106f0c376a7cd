/* sigwaitinfo, sigtimedwait, sigwait and signalfd take blocked signals with their data. */
#include "t.h"
#include <sys/signalfd.h>

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1), sigaddset(&set, SIGRTMIN + 2);
    CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    siginfo_t si;
    sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 42});
    int r = sigwaitinfo(&set, &si);
    printf("%d code %d value %d\n", r - SIGRTMIN, si.si_code, si.si_value.sival_int);
    struct timespec ts = {0, 1000000};
    r = sigtimedwait(&set, &si, &ts);
    printf("%d %d\n", r, errno);
    raise(SIGUSR1);
    int signo;
    printf("%d", sigwait(&set, &signo));
    printf(" %d\n", signo);
    int fd = signalfd(-1, &set, SFD_CLOEXEC);
    sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 43});
    raise(SIGUSR1);
    for (int i = 0; i < 2; i++) {
        struct signalfd_siginfo info;
        CHECK(read(fd, &info, sizeof info) == sizeof info);
        printf("fd: %u %d\n", info.ssi_signo, info.ssi_int);
    }
    return DONE();
}
