/* AVX-512 by name: mask registers k0 to k7, zeroing and merging, embedded broadcast and rounding, zmm16 to zmm31,
 * * compress to memory, compressed displacements relative to rip and to registers.
 * test-build: -mavx512f -mavx512bw -mavx512vl -mavx512dq
 * test-needs: cpu:avx512f cpu:avx512bw cpu:avx512vl cpu:avx512dq */
#include "t.h"

static u64 data[64] __attribute__((used, aligned(64))), out[64] __attribute__((used, aligned(64)));

int main(void)
{
    u64 s = 3, k[4];
    for (int i = 0; i < 64; i++)
        data[i] = t_random(&s);
    __asm__ volatile("mov $0xa5, %%eax; kmovw %%eax, %%k1; knotw %%k1, %%k2; kshiftlw $3, %%k1, %%k3; kmovq %5, %%k4\n"
                     "vmovdqa64 data(%%rip), %%zmm17; vpaddq data+64(%%rip), %%zmm17, %%zmm18%{%%k1%}%{z%}\n"
                     "vpaddq data+8(%%rip)%{1to8%}, %%zmm17, %%zmm18%{%%k2%}\n"
                     "vmovdqu64 %%zmm18, out(%%rip); vpcompressq %%zmm17, out+64(%%rip)%{%%k3%}\n"
                     "vcvtqq2pd %%zmm17, %%zmm31; vaddpd %{rz-sae%}, %%zmm31, %%zmm31, %%zmm30;"
                     " vmovapd %%zmm30, 128(%4)\n"
                     "vpternlogq $0x96, 128(%6), %%zmm17, %%zmm18; vmovdqu64 %%zmm18, 192(%4)\n"
                     "vpcmpuq $1, data+64(%%rip), %%zmm17, %%k5%{%%k4%}; kmovq %%k5, %0; kmovq %%k3, %1\n"
                     "mov $0xff, %%eax; kmovb %%eax, %%k6; vpmovzxbq data(%%rip), %%zmm20;"
                     " vpandq data+256(%%rip)%{1to8%}, %%zmm20, %%zmm20\n"
                     "vmovdqu64 %%zmm20, out+128(%%rip)\n"
                     "kmovq %%k6, %2; kortestw %%k1, %%k2; setc %b3; vzeroupper"
                     : "=&r"(k[0]), "=&r"(k[1]), "=&r"(k[2]), "=&r"(k[3]) : "r"(out), "m"(data[5]), "r"(data)
                     : "rax", "memory", "cc", "k1", "k2", "k3", "k4", "k5", "k6", "xmm17", "xmm18", "xmm20",
                       "xmm30", "xmm31");
    printf("%llx %llx %llx %d\n", (unsigned long long)k[0], (unsigned long long)k[1], (unsigned long long)k[2],
           (int)(k[3] & 1));
    for (int i = 0; i < 32; i++)
        printf("%016llx\n", (unsigned long long)out[i]);
    return DONE();
}
