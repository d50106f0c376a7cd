/* Signals at every instruction of a loop: a timer that each handler sets anew, a few odd microseconds ahead. The loop's
 * result must stay the same, and no handler may see an address of the engine's private range.
 * test-schemes: yes */
#include "t.h"

#define PRIVATE_LO 0x550000000000ull
#define PRIVATE_HI 0x555500000000ull

static volatile int hits, private;
static timer_t timer;
static u64 seed = 1;

static void arm(void)
{
    struct itimerspec its = {.it_value.tv_nsec = 2000 + (long)(t_random(&seed) % 30011)};
    timer_settime(timer, 0, &its, NULL);
}

static void handler(int signo, siginfo_t *si, void *ctx)
{
    u64 rip = (u64)((ucontext_t *)ctx)->uc_mcontext.gregs[REG_RIP];
    private += rip >= PRIVATE_LO && rip < PRIVATE_HI;
    hits++;
    arm();
}

static u64 __attribute__((noinline)) leaf(u64 x) { return x * 31 + (x >> 7); }
static u64 __attribute__((noinline)) round_once(void)
{
    static char a[64], b[64];
    u64 x = 1;
    for (int i = 0; i < 8; i++) {
        x = leaf(x) ^ (u64)i;
        memset(a, (int)x, sizeof a);
        memcpy(b, a, sizeof b);
        x += (u8)b[i];
        __asm__ volatile("push %0; rolq $5, (%%rsp); pop %0" : "+r"(x) :: "memory", "cc");
    }
    return x;
}

int main(void)
{
    struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    u64 expect = round_once(), bad = 0;
    CHECK(timer_create(CLOCK_MONOTONIC, &ev, &timer) == 0);
    t_handle(SIGUSR1, handler, 0);
    arm();
    while (hits < 20000)
        bad += round_once() != expect;
    printf("%llx bad %llu private %d\n", (unsigned long long)expect, (unsigned long long)bad, private);
    fflush(stdout);
    DONE();
    _exit(0);
}
