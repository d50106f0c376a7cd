/* rdrand and rdseed, where present, deliver in all sizes and set the carry flag; repeated values do not occur.
 * test-needs: cpu:rdrand cpu:rdseed */
#include "t.h"

int main(void)
{
    u64 a = 0, b = 0, c = 0;
    u8 ok1 = 0, ok2 = 0, ok3 = 0, ok4 = 0;
    for (int i = 0; i < 100 && !ok1; i++)
        __asm__ volatile("rdrand %0; setc %1" : "=r"(a), "=q"(ok1));
    for (int i = 0; i < 100 && !ok2; i++)
        __asm__ volatile("rdrand %k0; setc %1" : "=r"(b), "=q"(ok2));
    for (int i = 0; i < 100000 && !ok3; i++)
        __asm__ volatile("rdseed %0; setc %1; pause" : "=r"(c), "=q"(ok3));
    u64 keep = 0x1111111111110000ull;
    for (int i = 0; i < 100 && !ok4; i++)
        __asm__ volatile("rdrand %w0; setc %1" : "+r"(keep), "=q"(ok4));
    printf("%d %d %d %d differ %d upper32 %llx kept %llx\n", ok1, ok2, ok3, ok4, a != c, (unsigned long long)(b >> 32),
           (unsigned long long)(keep >> 16));
    return DONE();
}
