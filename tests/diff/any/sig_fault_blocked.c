/* Signals that also report faults, sent by hand while blocked: they are pending, can be waited for, keep their value. */
#include "t.h"

static void handler(int sig, siginfo_t *info, void *context)
{
    t_say("handler: signal %d code %d own %d value %d\n", sig, info->si_code, info->si_pid == getpid(), info->si_value.sival_int);
}

static int is_pending(int sig)
{
    sigset_t set;
    CHECK(sigpending(&set) == 0);
    return sigismember(&set, sig);
}

static void check(int sig)
{
    sigset_t only, old, none;
    siginfo_t info;
    struct timespec moment = {0, 1000000};
    sigemptyset(&none);
    sigemptyset(&only);
    sigaddset(&only, sig);
    t_handle(sig, handler, 0);
    sigprocmask(SIG_BLOCK, &only, &old);
    kill(getpid(), sig);
    t_say("pending %d\n", is_pending(sig));
    int got = sigwaitinfo(&only, &info);
    t_say("wait: signal %d code %d own %d, then pending %d\n", got, info.si_code, info.si_pid == getpid(), is_pending(sig));
    t_say("nothing more: %d\n", sigtimedwait(&only, &info, &moment));
    sigqueue(getpid(), sig, (union sigval){.sival_int = 77});
    t_say("before unblocking\n");
    sigprocmask(SIG_SETMASK, &old, NULL);

    sigprocmask(SIG_BLOCK, &only, NULL);
    kill(getpid(), sig);
    signal(sig, SIG_IGN);
    t_say("pending when ignored %d\n", is_pending(sig));
    t_handle(sig, handler, 0);
    kill(getpid(), sig);
    pid_t child = fork();
    if (!child) {
        t_say("pending in a child %d\n", is_pending(sig));
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    got = sigsuspend(&none);
    t_say("sigsuspend %d, then pending %d\n", got, is_pending(sig));
    sigprocmask(SIG_SETMASK, &old, NULL);
}

int main(void)
{
    static const int all[] = {SIGTRAP, SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGUSR1};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        check(all[i]);
    return DONE();
}
