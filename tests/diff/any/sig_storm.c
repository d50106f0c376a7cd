/* A storm of timer signals while a checksum is computed; the handler uses vector registers and the sum stays right.
 * test-schemes: yes */
#include "t.h"
#include <sys/time.h>

static volatile int ticks;
static volatile double noise = 1.5;
static void tick(int signo)
{
    char buf[64];
    noise = noise * 1.0001 + 0.5;
    snprintf(buf, sizeof buf, "%f %d", noise, ticks);
    /* Stopped here: a slow handler may leave the program no time to do it. */
    if (++ticks == 1000)
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

static u64 compute(int n)
{
    u64 s = 1, h = T_HASH0;
    double d = 0;
    for (int i = 0; i < n; i++) {
        u64 r = t_random(&s);
        d += (double)(r >> 11) / 3.0;
        h = t_hash(h, &r, 8);
        if ((i & 1023) == 0)
            h = t_hash(h, &d, 8);
    }
    return h;
}

int main(void)
{
    u64 expect = compute(20000), bad = 0;
    signal(SIGALRM, tick);
    struct itimerval it = {{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &it, NULL);
    while (ticks < 1000)
        bad += compute(20000) != expect;
    printf("%016llx bad %llu\n", (unsigned long long)expect, (unsigned long long)bad);
    return DONE();
}
