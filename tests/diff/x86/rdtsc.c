/* rdtsc and rdtscp grow, clear the upper halves of rax and rdx, and rdtscp tells a CPU number. */
#include "t.h"

int main(void)
{
    u64 last = 0, bad = 0, upper = 0;
    for (int i = 0; i < 10000; i++) {
        u64 a = ~0ull, d = ~0ull, c = ~0ull;
        if (i & 1)
            __asm__ volatile("rdtsc" : "+a"(a), "+d"(d));
        else
            __asm__ volatile("rdtscp" : "+a"(a), "+d"(d), "+c"(c));
        upper |= (a | d) >> 32;
        if ((d << 32 | a) < last)
            bad++;
        last = d << 32 | a;
    }
    printf("backwards %llu upper %llx\n", (unsigned long long)bad, (unsigned long long)upper);
    return DONE();
}
