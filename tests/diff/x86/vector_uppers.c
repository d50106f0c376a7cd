/* One register at a time holds something in one of its wide parts, or none does; then all are looked at, and so is what the CPU
 * says to be in use: behind vzeroupper nothing of the wide parts is, whoever ran in between.
 * test-needs: cpu:avx2 */
#include "t.h"
#include <cpuid.h>

#define EACH(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15)
static u8 from[64] __attribute__((aligned(64))), at[16][64] __attribute__((aligned(64)));
static const u8 zero[64] __attribute__((aligned(64)));

#define ZERO(n) __asm__ volatile("vpxor %%xmm" #n ", %%xmm" #n ", %%xmm" #n : : : "xmm" #n);
#define LOAD(n) case n: if (wide) __asm__ volatile("vmovups %0, %%zmm" #n : : "m"(from) : "xmm" #n); \
                        else __asm__ volatile("vmovups %0, %%ymm" #n : : "m"(from) : "xmm" #n); break;
#define STORE(n) if (wide) __asm__ volatile("vmovups %%zmm" #n ", %0" : "=m"(at[n])); \
                 else __asm__ volatile("vmovups %%ymm" #n ", %0" : "=m"(at[n]));

static u32 in_use(void)
{
    u32 lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(1));
    return lo & 0x44;                               /* the upper halves of ymm and of zmm */
}

int main(void)
{
    u32 a, b, c, d, wide = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 16 & 1)
        wide = 1;
    u64 h = T_HASH0;
    for (int reg = -1; reg < 16; reg++)
        for (int part = 16; part < (wide ? 64 : 32); part += 8) {
            memset(from, 0, sizeof from);
            from[part] = (u8)(reg + 2);
            EACH(ZERO)
            __asm__ volatile("vzeroupper");
            switch (reg) { EACH(LOAD) }
            for (volatile int i = 0; i < 3; i++)
                __asm__ volatile("nop");
            EACH(STORE)
            __asm__ volatile("vzeroupper");
            h = t_hash(h, at, sizeof at);
            CHECK(reg < 0 ? !memcmp(at[3], zero, 64) : at[reg][part] == reg + 2);
        }
    printf("%016llx\n", (unsigned long long)h);
    __get_cpuid_count(0xd, 1, &a, &b, &c, &d);
    if (a & 4) {
        __asm__ volatile("vzeroupper");
        for (volatile int i = 0; i < 3; i++)
            __asm__ volatile("nop");
        printf("in use: %x\n", in_use());
    }
    return DONE();
}
