/* sigsuspend waits with another mask, runs the handler, restores the mask; ppoll and pselect do the same. */
#include "t.h"
#include <poll.h>
#include <sys/select.h>

static int got;
static void handler(int signo, siginfo_t *si, void *ctx) { got++; t_say("handler\n"); }

int main(void)
{
    sigset_t block, old, empty, now;
    sigemptyset(&block), sigemptyset(&empty);
    sigaddset(&block, SIGUSR1);
    t_handle(SIGUSR1, handler, 0);
    CHECK(sigprocmask(SIG_BLOCK, &block, &old) == 0);
    raise(SIGUSR1);
    t_say("blocked %d\n", got);
    int r = sigsuspend(&empty);
    t_say("sigsuspend %d %d got %d\n", r, errno, got);
    raise(SIGUSR1);
    r = ppoll(NULL, 0, NULL, &empty);
    t_say("ppoll %d %d got %d\n", r, errno, got);
    raise(SIGUSR1);
    r = pselect(0, NULL, NULL, NULL, NULL, &empty);
    t_say("pselect %d %d got %d\n", r, errno, got);
    sigprocmask(SIG_BLOCK, NULL, &now);
    t_say("still blocked %d\n", sigismember(&now, SIGUSR1));
    return DONE();
}
