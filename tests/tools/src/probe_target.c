/* probe_target: work() with stack and vector arguments, from several threads; half() with a floating-point result. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

__attribute__((noinline)) long work(long a, long b, double c, long d, long e, long f, long g, long h)
{
    __asm__ volatile("" : : : "memory");
    return a + b + h + (long)(c * 2);
}
__attribute__((noinline)) double half(double x) { __asm__ volatile("" : "+x"(x)); return x / 2; }

static __thread long mine;
static volatile int ticks;
static void tick(int sig) { ticks++; mine += work(0, 0, 0, 0, 0, 0, 0, 0); }

static long rounds = 20000;
static int is_busy;
static void *run(void *p)
{
    for (long i = 0; i < rounds; i++) {
        long r = work(i, (long)p, 0.5, 1, 2, 3, 4, 7);
        if (is_busy && r != i + (long)p + 8)
            abort();
        if (is_busy && i % 256 == 0)
            usleep(1);
        mine += r;
    }
    return (void *)mine;
}

int main(int argc, char **argv)
{
    pthread_t t[4];
    long sum = 0;
    if (argc > 1)
        rounds = atol(argv[1]);
    is_busy = argc > 2 && !strncmp(argv[2], "busy", 4);
    signal(SIGPROF, tick);
    struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
    if (argc > 2 && strstr(argv[2], "signals"))
        setitimer(ITIMER_PROF, &every, NULL);
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < 4; i++) {
        void *r;
        pthread_join(t[i], &r);
        sum += (long)r;
    }
    printf("%ld %g\n", sum, half(3.0));
    return 0;
}
