/* Vector registers, up to zmm and masks where present, survive handlers that destroy them. */
#include "t.h"
#include <sys/time.h>

static volatile int ticks;
static void tick(int signo)
{
    __asm__ volatile("pcmpeqd %%xmm0, %%xmm0; movdqa %%xmm0, %%xmm1; movdqa %%xmm0, %%xmm15" ::: "xmm0", "xmm1",
                     "xmm15");
    if (__builtin_cpu_supports("avx2"))
        __asm__ volatile("vpcmpeqd %%ymm0, %%ymm0, %%ymm0; vmovdqa %%ymm0, %%ymm7" ::: "xmm0", "xmm7");
    if (__builtin_cpu_supports("avx512f"))
        __asm__ volatile("vpternlogd $0xff, %zmm20, %zmm20, %zmm20; kxnorw %k3, %k3, %k3");
    /* Stopped here: a slow handler may leave the program no time to do it. */
    if (++ticks == 300)
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

int main(void)
{
    int wide = __builtin_cpu_supports("avx512f") != 0;
    u64 bad = 0;
    signal(SIGALRM, tick);
    struct itimerval it = {{0, 300}, {0, 300}};
    setitimer(ITIMER_REAL, &it, NULL);
    while (ticks < 300) {
        u64 a = 0x1234567812345678, b = 0, c = 0, k = 0;
        __asm__ volatile("movq %2, %%xmm0; movq %%xmm0, %%xmm15; mov $20000, %%ecx; 1: dec %%ecx; jnz 1b;"
                         " movq %%xmm0, %0; movq %%xmm15, %1"
                         : "=r"(b), "=r"(c) : "r"(a) : "rcx", "xmm0", "xmm15");
        bad += b != a || c != a;
        if (wide) {
            __asm__ volatile("vpbroadcastq %3, %%zmm20; kmovw %k3, %%k3; mov $20000, %%ecx; 1: dec %%ecx; jnz 1b;"
                             "vextracti64x4 $1, %%zmm20, %%ymm1; vmovq %%xmm1, %0; kmovw %%k3, %k2; vzeroupper"
                             : "=r"(b), "+r"(c), "=r"(k) : "r"(a) : "rcx", "xmm1");
            bad += b != a || k != 0x5678;
        }
    }
    printf("bad %llu\n", (unsigned long long)bad);
    return DONE();
}
