/* wrfsbase moves the thread area; fs accesses follow it, also in 32-bit form, and moving back restores TLS.
 * test-needs: cpu:fsgsbase */
#include "t.h"

static u64 area[4] = {0xaaaa, 0xbbbb, 0xcccc, 0xdddd};
static __thread int before = 42;

int main(void)
{
    u64 old, first, third, now;
    __asm__ volatile("rdfsbase %0\n wrfsbase %4\n mov %%fs:0, %1\n mov %%fs:16, %2\n rdfsbase %3\n wrfsbase %0"
                     : "=&r"(old), "=&r"(first), "=&r"(third), "=&r"(now) : "r"(area) : "memory");
    printf("%llx %llx %d\n", (unsigned long long)first, (unsigned long long)third, now == (u64)area);
    u32 low = 0x1000;
    u64 big;
    __asm__ volatile("rdfsbase %0; wrfsbase %k2; rdfsbase %1; wrfsbase %0" : "=&r"(old), "=&r"(big) : "r"(low));
    printf("%llx %d\n", (unsigned long long)big, before);
    return DONE();
}
