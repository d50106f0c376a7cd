/* POSIX timers with signals and values; overrun-free single shots; a thread callback timer. */
#include "t.h"

static volatile int got, value;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    got++, value = si->si_value.sival_int;
    t_say("code %d\n", si->si_code);
}
static void callback(union sigval v) { __atomic_store_n((int *)v.sival_ptr, 9, __ATOMIC_SEQ_CST); }

int main(void)
{
    t_handle(SIGRTMIN + 1, handler, 0);
    timer_t id;
    struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1, .sigev_value.sival_int = 77};
    CHECK(timer_create(CLOCK_MONOTONIC, &ev, &id) == 0);
    struct itimerspec its = {.it_value.tv_nsec = 5000000};
    for (int i = 0; i < 3; i++) {
        int before = got;
        CHECK(timer_settime(id, 0, &its, NULL) == 0);
        while (got == before)
            usleep(1000);
    }
    timer_delete(id);
    int done = 0;
    struct sigevent tev = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = callback,
                           .sigev_value.sival_ptr = &done};
    CHECK(timer_create(CLOCK_MONOTONIC, &tev, &id) == 0);
    CHECK(timer_settime(id, 0, &its, NULL) == 0);
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) != 9)
        usleep(1000);
    printf("%d %d %d\n", got, value, done);
    return DONE();
}
