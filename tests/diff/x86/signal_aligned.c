/* Signals that come while misaligned accesses fault (the flag AC): the handler, and whatever stands behind it, starts with that. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include "t.h"

enum { WANTED = 40 };
static volatile sig_atomic_t seen;
static void note(int sig) { seen++; }

static void set_ac(void) { __asm__ volatile("sub $128, %%rsp; pushfq; orq $0x40000, (%%rsp); popfq; add $128, %%rsp" ::: "memory", "cc"); }
static void clear_ac(void) { __asm__ volatile("sub $128, %%rsp; pushfq; andq $~0x40000, (%%rsp); popfq; add $128, %%rsp" ::: "memory", "cc"); }

/* Calls, returns and branches of all kinds, so that a signal finds the thread anywhere. */
static long twice(long n) { return n * 2; }
static long thrice(long n) { return n * 3; }

int main(void)
{
    struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
    long (*volatile by[2])(long) = { twice, thrice };
    volatile long sum = 0;
    signal(SIGALRM, note);
    setitimer(ITIMER_REAL, &often, NULL);
    set_ac();
    for (long i = 0; seen < WANTED; i++)
        sum += by[i % 3 == 0](i);
    clear_ac();
    setitimer(ITIMER_REAL, &never, NULL);
    printf("signals came: %d\n", seen >= WANTED && sum);
    return DONE();
}
