/* Four threads compute while a timer and the main thread throw signals at all of them.
 * test-schemes: yes */
#include "t.h"
#include <sys/time.h>

static volatile int stop, hits;
static u64 bad;
static void handler(int signo, siginfo_t *si, void *ctx) { __atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED); }
static u64 work(u64 s)
{
    u64 x = 0;
    for (int i = 0; i < 3000; i++)
        x = x * 31 + t_random(&s);
    return x;
}
static void *body(void *arg)
{
    u64 seed = (u64)(long)arg + 1, expect = work(seed);
    while (!stop)
        if (work(seed) != expect)
            __atomic_add_fetch(&bad, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    t_handle(SIGUSR1, handler, SA_RESTART);
    t_handle(SIGALRM, handler, SA_RESTART);
    for (long i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, body, (void *)i) == 0);
    struct itimerval it = {{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &it, NULL);
    for (int i = 0; i < 2000; i++)
        CHECK(pthread_kill(t[i & 3], SIGUSR1) == 0);
    while (hits < 500)
        usleep(1000);
    it.it_value.tv_usec = it.it_interval.tv_usec = 0;
    setitimer(ITIMER_REAL, &it, NULL);
    stop = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("bad %llu\n", (unsigned long long)bad);
    return DONE();
}
