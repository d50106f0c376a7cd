/* Has misaligned accesses fault (the flag AC), works with that, and makes one. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
enum { AC = 1 << 18 };
static volatile int faults;
static void fault(int sig, siginfo_t *info, void *context)
{
    faults++;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~AC;
}
static long work(long n)
{
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}
static unsigned long flags(void)
{
    unsigned long f;
    __asm__ volatile("sub $128, %%rsp; pushfq; pop %0; add $128, %%rsp" : "=r"(f)::"memory", "cc");
    return f;
}
int main(void)
{
    static char buffer[64] __attribute__((aligned(16)));
    struct sigaction action = { .sa_sigaction = fault, .sa_flags = SA_SIGINFO };
    sigaction(SIGBUS, &action, NULL);
    __asm__ volatile("sub $128, %%rsp; pushfq; orq $0x40000, (%%rsp); popfq; add $128, %%rsp" ::: "memory", "cc");
    long sum = work(3000);
    unsigned long with = flags();
    *(volatile long *)(buffer + 1) = 5;
    printf("%ld: AC %d, then %d, faults %d\n", sum, !!(with & AC), !!(flags() & AC), faults);
}
