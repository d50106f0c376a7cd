/* A program may map any free address below 2 GB, and replace mappings there: natively all of it is free. */
#include "t.h"

int main(void)
{
    static const u64 at[] = {0x10000000, 0x40000000, 0x70000000, 0x7e000000, 0x7f000000, 0x7f400000, 0x7fff0000};
    u64 sum = 0;
    for (int fixed = 0; fixed < 2; fixed++)
        for (unsigned i = 0; i < sizeof at / sizeof at[0]; i++) {
            u8 *p = mmap((void *)at[i], 65536, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | (fixed ? MAP_FIXED : MAP_FIXED_NOREPLACE), -1, 0);
            t_say("%llx fixed %d: %s errno %d\n", (unsigned long long)at[i], fixed,
                  (u64)p == at[i] ? "mapped" : "refused", p == MAP_FAILED ? errno : 0);
            if ((u64)p == at[i])
                memset(p, 0xa5, 65536), sum += p[65535];
        }
    u64 s = 3, x = 0;                            /* calls and indirect branches still work afterwards */
    u64 (*volatile f)(u64 *) = t_random;
    for (int i = 0; i < 100000; i++)
        x = x * 31 + f(&s);
    printf("%llu %016llx\n", (unsigned long long)sum, (unsigned long long)x);
    return DONE();
}
