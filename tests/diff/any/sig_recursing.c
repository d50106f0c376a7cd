/* SIGALRM at a high rate while recursing and returning: calls and returns stay paired. */
#include "t.h"
#include <sys/time.h>

static volatile int ticks;
static void tick(int signo)
{
    /* Stopped here: a slow handler may leave the program no time to do it. */
    if (++ticks == 1000)
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}
static u64 __attribute__((noinline)) fib(u64 n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void)
{
    signal(SIGALRM, tick);
    struct itimerval it = {{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &it, NULL);
    u64 bad = 0;
    while (ticks < 1000)
        bad += fib(18) != 2584;
    printf("bad %llu\n", (unsigned long long)bad);
    return DONE();
}
