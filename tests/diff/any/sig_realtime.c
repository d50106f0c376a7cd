/* Real-time signals queue with their values, lowest number first, first come first served. */
#include "t.h"

static void handler(int signo, siginfo_t *si, void *ctx)
{
    t_say("rt %d code %d value %d\n", signo - SIGRTMIN, si->si_code, si->si_value.sival_int);
}

int main(void)
{
    sigset_t set, old;
    sigemptyset(&set);
    for (int i = 0; i < 4; i++) {
        sigaddset(&set, SIGRTMIN + i);
        struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
        sigfillset(&sa.sa_mask);
        CHECK(sigaction(SIGRTMIN + i, &sa, NULL) == 0);
    }
    CHECK(sigprocmask(SIG_BLOCK, &set, &old) == 0);
    for (int i = 0; i < 20; i++)
        CHECK(sigqueue(getpid(), SIGRTMIN + (i * 7) % 4, (union sigval){.sival_int = i}) == 0);
    CHECK(sigprocmask(SIG_SETMASK, &old, NULL) == 0);
    for (int i = 0; i < 100; i++)
        CHECK(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 1000 + i}) == 0);
    return DONE();
}
