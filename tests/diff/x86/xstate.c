/* xgetbv, xsave, xsaveopt, xsavec, xrstor and fxsave move the vector state that the program has, and nothing else. */
#include "t.h"
#include <cpuid.h>

static u8 area[16384] __attribute__((aligned(64))), again[16384] __attribute__((aligned(64)));

static u64 xcr0(void)
{
    u32 lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (u64)hi << 32 | lo;
}

int main(void)
{
    printf("xcr0 %llx\n", (unsigned long long)xcr0());
    u64 v[4] = {0x1122334455667788, 2, 3, 4}, w[4] = {0};
    memset(area, 0, sizeof area);
    __asm__ volatile("fninit; fld1; vmovdqu %1, %%ymm5; xsave %0" : "+m"(area) : "m"(v), "a"(7), "d"(0) : "xmm5");
    printf("xstate_bv %llx xmm5 %llx %llx\n", *(unsigned long long *)(area + 512),
           *(unsigned long long *)(area + 160 + 80),
           *(unsigned long long *)(area + 160 + 88));
    __asm__ volatile("vpxor %%xmm5, %%xmm5, %%xmm5; fninit; xrstor %1; vmovdqu %%ymm5, %0" : "=m"(w) : "m"(area),
                     "a"(7), "d"(0)
                     : "xmm5");
    double top;
    __asm__ volatile("fstpl %0" : "=m"(top));
    printf("%llx %llx %llx %llx top %g\n", (unsigned long long)w[0], (unsigned long long)w[1], (unsigned long long)w[2],
           (unsigned long long)w[3], top);
    __asm__ volatile("xsavec %0" : "+m"(again) : "a"(6), "d"(0));
    printf("xsavec bv %llx comp %llx\n", *(unsigned long long *)(again + 512), *(unsigned long long *)(again + 520));
    __asm__ volatile("vzeroall; xrstor %1; vmovdqu %%ymm5, %0" : "=m"(w) : "m"(again), "a"(6), "d"(0) : "xmm5");
    printf("%llx %llx\n", (unsigned long long)w[0], (unsigned long long)w[3]);
    __asm__ volatile("fxsave64 %0" : "=m"(area));
    printf("fcw %x fsw %x ftw %x mxcsr %x\n", *(u16 *)area, *(u16 *)(area + 2), area[4], *(u32 *)(area + 24));
    return DONE();
}
