/* probe_cost: time-stamp ticks of one call of leaf(), the least over many rounds. */
#include <stdio.h>
#include <stdint.h>
#include <x86intrin.h>
__attribute__((noipa)) long leaf(long a, long b)
{
    __asm__ volatile("push %%rbx; pop %%rbx; nopl 0x100(%%rax)" : "+r"(a));
    return a + b;
}
int main(void)
{
    enum { ROUNDS = 400, CALLS = 10000 };
    uint64_t least = ~0ull;
    volatile long sum = 0;
    for (int r = 0; r < ROUNDS; r++) {
        uint64_t from = __rdtsc();
        for (long i = 0; i < CALLS; i++)
            sum = leaf(i, sum);
        uint64_t ticks = __rdtsc() - from;
        least = ticks < least ? ticks : least;
    }
    printf("%.1f\n", (double)least / CALLS);
    return 0;
}
