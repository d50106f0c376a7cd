/* A handler gets signo, code, pid and value; the mask during and after it; return value of the interrupted function.
 * test-schemes: exec */
#include "t.h"

static int in_handler_mask;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    in_handler_mask = sigismember(&now, signo) | sigismember(&now, SIGUSR2) << 1;
    t_say("signo %d code %d mine %d uid %d\n", signo, si->si_code, si->si_pid == getpid(), si->si_uid == getuid());
}

int main(void)
{
    struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO}, old;
    sigemptyset(&sa.sa_mask);
    sigaddset(&sa.sa_mask, SIGUSR2);
    CHECK(sigaction(SIGUSR1, &sa, &old) == 0);
    printf("old %d\n", old.sa_handler == SIG_DFL);
    fflush(stdout);
    printf("raise %d\n", raise(SIGUSR1));
    printf("mask in handler %d\n", in_handler_mask);
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("after %d %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2));
    fflush(stdout);
    printf("kill %d\n", kill(getpid(), SIGUSR1));
    sigaction(SIGUSR1, NULL, &old);
    printf("kept %d flags %x\n", old.sa_sigaction == handler, old.sa_flags & ~0x04000000);
    printf("bad %d %d\n", sigaction(SIGKILL, &sa, NULL), errno);
    printf("bad %d %d\n", sigaction(65, &sa, NULL), errno);
    return DONE();
}
