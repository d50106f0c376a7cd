/* ppoll, pselect and epoll_pwait with a signal mask of their own: a signal that only they let through ends them, its handler
 * runs under the caller's mask, and the mask is back afterwards; without a signal they time out. */
#include "t.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static sigset_t blocked, open_set;

static void handler(int sig, siginfo_t *si, void *ctx)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    ucontext_t *uc = ctx;
    t_say("  handler of %d: USR1 %d USR2 %d blocked, returns to %d %d\n", sig, sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2),
          sigismember(&uc->uc_sigmask, SIGUSR1), sigismember(&uc->uc_sigmask, SIGUSR2));
}

static void show(const char *what, long r)
{
    int e = errno;
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    t_say("%s: %ld %s, USR1 %d blocked\n", what, r, r < 0 ? strerror(e) : "", sigismember(&now, SIGUSR1));
}

int main(void)
{
    sigemptyset(&blocked), sigemptyset(&open_set);
    sigaddset(&blocked, SIGUSR1), sigaddset(&blocked, SIGUSR2), sigaddset(&open_set, SIGUSR2);
    t_handle(SIGUSR1, handler, SA_RESTART);
    t_handle(SIGUSR2, handler, 0);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    int ep = epoll_create1(0);
    struct epoll_event ev;
    for (int with = 1; with >= 0; with--) {
        struct timespec t = {with ? 5 : 0, 1000000};
        if (with)
            raise(SIGUSR1);
        show("ppoll", ppoll(NULL, 0, &t, &open_set));
        if (with)
            raise(SIGUSR1), raise(SIGUSR2);
        show("pselect", pselect(0, NULL, NULL, NULL, &t, &open_set));
        if (with)
            raise(SIGUSR1);
        show("epoll_pwait", epoll_pwait(ep, &ev, 1, with ? 5000 : 1, &open_set));
    }
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    return DONE();
}
