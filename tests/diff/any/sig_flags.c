/* SA_RESETHAND falls back to the default, SA_NODEFER nests, without it the second one waits
 * for the end of the first. */
#include "t.h"

static int depth;
static void nest(int signo, siginfo_t *si, void *ctx)
{
    int d = ++depth;
    t_say("in %d\n", d);
    if (d < 4)
        raise(signo);
    t_say("out %d\n", d);
}
static void once(int signo, siginfo_t *si, void *ctx)
{
    struct sigaction now;
    sigaction(signo, NULL, &now);
    t_say("once; handler is default: %d\n", now.sa_handler == SIG_DFL);
}

int main(void)
{
    t_handle(SIGUSR1, nest, SA_NODEFER);
    raise(SIGUSR1);
    depth = 0;
    t_handle(SIGUSR1, nest, 0);
    raise(SIGUSR1);
    t_handle(SIGUSR2, once, SA_RESETHAND);
    raise(SIGUSR2);
    signal(SIGCHLD, SIG_IGN);
    raise(SIGCHLD);
    signal(SIGUSR2, SIG_IGN);
    raise(SIGUSR2);
    return DONE();
}
