/* Signals that the CPU raises too, sent while blocked: sigtimedwait, signalfd, poll and sigpending see them, those that came
 * before the call and those that come during it; with their siginfo, and in another thread. */
#include "t.h"
#include <poll.h>
#include <sys/signalfd.h>

static const int list[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
static sigset_t set;

static void *sender(void *arg)
{
    usleep(20000);
    union sigval v = {.sival_int = (int)(long)arg * 10};
    sigqueue(getpid(), (int)(long)arg, v);
    return NULL;
}

static void show(const char *what, int sig, int code, int value) { printf("%s: signal %d code %d value %d\n", what, sig, code, value); }

int main(void)
{
    sigemptyset(&set);
    for (int i = 0; i < 5; i++)
        sigaddset(&set, list[i]);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, 0);
    for (int i = 0; i < 5; i++) {
        siginfo_t si;
        struct signalfd_siginfo in;
        sigset_t pending;
        pthread_t th;
        struct pollfd p = {fd, POLLIN, 0};
        kill(getpid(), list[i]);
        sigpending(&pending);
        printf("pending %d, poll %d\n", sigismember(&pending, list[i]), poll(&p, 1, 0));
        CHECK(read(fd, &in, sizeof in) == sizeof in);
        show("signalfd, before", (int)in.ssi_signo, in.ssi_code, in.ssi_int);
        pthread_create(&th, NULL, sender, (void *)(long)list[i]);
        CHECK(read(fd, &in, sizeof in) == sizeof in);
        show("signalfd, during", (int)in.ssi_signo, in.ssi_code, in.ssi_int);
        pthread_join(th, NULL);
        pthread_create(&th, NULL, sender, (void *)(long)list[i]);
        CHECK(sigwaitinfo(&set, &si) == list[i]);
        show("sigwaitinfo, during", si.si_signo, si.si_code, si.si_value.sival_int);
        pthread_join(th, NULL);
        raise(list[i]);
        CHECK(sigwaitinfo(&set, &si) == list[i]);
        show("sigwaitinfo, before", si.si_signo, si.si_code, 0);
    }
    struct timespec now = {0, 0};
    printf("nothing is left: %d\n", sigtimedwait(&set, NULL, &now));
    return DONE();
}
