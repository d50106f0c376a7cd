/* A program to be debugged: calls, a signal, threads, an exit status. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

volatile int counter;
volatile double factor = 1.5;

__attribute__((noinline)) int fact(int n)
{
    counter++;
    return n < 2 ? 1 : n * fact(n - 1);
}

static void handler(int sig) { counter += 100; }

static void *work(void *p)
{
    for (int i = 0; i < 3; i++)
        fact(3);
    return NULL;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    int r = fact(5);
    printf("%d\n", r);
    raise(SIGUSR1);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    printf("%d %g\n", counter, factor * r);
    return 7;
}
