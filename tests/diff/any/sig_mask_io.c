/* Waits with a signal mask of their own: io_pgetevents and io_uring_enter; the handler runs under the caller's mask then. */
#include "t.h"
#include <linux/aio_abi.h>
#include <linux/io_uring.h>

static void handler(int sig, siginfo_t *si, void *ctx)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    t_say("handler of %d: USR1 %d, USR2 %d blocked\n", sig, sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2));
}

int main(void)
{
    sigset_t both, only2;
    sigemptyset(&both), sigemptyset(&only2);
    sigaddset(&both, SIGUSR1), sigaddset(&both, SIGUSR2), sigaddset(&only2, SIGUSR2);
    t_handle(SIGUSR1, handler, 0);
    t_handle(SIGUSR2, handler, 0);
    pthread_sigmask(SIG_SETMASK, &both, NULL);
    aio_context_t ctx = 0;
    struct io_event ev;
    struct { const sigset_t *mask; size_t size; } arg = {&only2, 8};
    long r = syscall(SYS_io_setup, 1, &ctx);
    if (r == 0) {
        raise(SIGUSR1);
        r = syscall(SYS_io_pgetevents, ctx, 1L, 1L, &ev, NULL, &arg);
        printf("io_pgetevents: %s\n", r < 0 ? strerror(errno) : "events");
    }
    fflush(stdout);
    struct io_uring_params p = {0};
    int ring = (int)syscall(SYS_io_uring_setup, 4, &p);
    if (ring >= 0) {
        raise(SIGUSR1);
        r = syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, &only2, 8);
        printf("io_uring_enter: %s\n", r < 0 ? strerror(errno) : "events");
        fflush(stdout);
        struct io_uring_getevents_arg ext = {.sigmask = (u64)&only2, .sigmask_sz = 8};
        raise(SIGUSR1);
        r = syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &ext, sizeof ext);
        printf("io_uring_enter, longer: %s\n", r < 0 ? strerror(errno) : "events");
    }
    pthread_sigmask(SIG_BLOCK, NULL, &both);
    printf("at the end: USR1 %d, USR2 %d blocked\n", sigismember(&both, SIGUSR1), sigismember(&both, SIGUSR2));
    return DONE();
}
