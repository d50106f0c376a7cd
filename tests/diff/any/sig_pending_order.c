/* Blocked signals become pending, standard ones once, and are delivered in order of their numbers when unblocked. */
#include "t.h"

static void handler(int signo, siginfo_t *si, void *ctx) { t_say("got %d\n", signo); }

int main(void)
{
    static const int list[] = {SIGUSR2, SIGHUP, SIGUSR1, SIGTERM, SIGWINCH};
    sigset_t all, pend;
    sigfillset(&all);
    for (int i = 0; i < 5; i++) {
        struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO, .sa_mask = all};
        CHECK(sigaction(list[i], &sa, NULL) == 0);
    }
    sigset_t set, old;
    sigemptyset(&set);
    for (int i = 0; i < 5; i++)
        sigaddset(&set, list[i]);
    CHECK(sigprocmask(SIG_BLOCK, &set, &old) == 0);
    for (int i = 0; i < 5; i++)
        kill(getpid(), list[i]), raise(list[i]), kill(getpid(), list[i]);
    sigpending(&pend);
    for (int i = 1; i < 32; i++)
        if (sigismember(&pend, i))
            t_say("pending %d\n", i);
    CHECK(sigprocmask(SIG_SETMASK, &old, NULL) == 0);
    t_say("unblocked\n");
    sigpending(&pend);
    t_say("left %d\n", sigismember(&pend, SIGUSR1));
    return DONE();
}
