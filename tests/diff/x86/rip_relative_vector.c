/* rip-relative operands with SSE and AVX: aligned and unaligned, immediates behind the displacement, three operands. */
#include "x86.h"

static u8 data[128] __attribute__((used, aligned(32)));
static u8 out[256] __attribute__((used, aligned(32)));

PIECE(p_sse, "movaps data(%rip), %xmm0; paddb data+16(%rip), %xmm0; pshufd $0x1b, data+32(%rip), %xmm1;"
             "shufps $0x4e, data(%rip), %xmm1; pcmpeqb data+16(%rip), %xmm1; movups data+5(%rip), %xmm2;"
             "cvtsi2sdq data(%rip), %xmm3; addsd data+64(%rip), %xmm3; pinsrw $3, data+6(%rip), %xmm3;"
             "movaps %xmm0, out(%rip); movups %xmm1, out+16(%rip); movdqu %xmm2, out+32(%rip);"
             "movlps %xmm3, out+48(%rip); pextrw $2, %xmm2, %eax; movntps %xmm0, out+64(%rip);"
             "ucomisd data(%rip), %xmm3; pextrb $3, %xmm2, out+80(%rip); roundsd $1, data(%rip), %xmm4");
PIECE(p_avx, "vmovdqa data(%rip), %ymm0; vpaddb data+32(%rip), %ymm0, %ymm1; vpermilps $0x1b, data(%rip), %ymm2;"
             "vblendvps %ymm1, data+64(%rip), %ymm0, %ymm3; vinserti128 $1, data+16(%rip), %ymm3, %ymm4;"
             "vpbroadcastd data+4(%rip), %ymm5; vmovdqu %ymm1, out(%rip); vmovdqu %ymm2, out+33(%rip);"
             "vmovdqa %ymm3, out+96(%rip); vextracti128 $1, %ymm4, out+128(%rip); vmovups %xmm5, out+144(%rip);"
             "vfmadd231pd data+96(%rip), %ymm0, %ymm5; vmovdqu %ymm5, out+160(%rip); vzeroupper");

int main(void)
{
    for (int i = 0; i < 128; i++)
        data[i] = (u8)(i * 37 + 11);
    regs_try("sse", p_sse);
    printf("%016llx\n", (unsigned long long)t_hash(T_HASH0, out, sizeof out));
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        regs_try("avx", p_avx);
        printf("%016llx\n", (unsigned long long)t_hash(T_HASH0, out, sizeof out));
    }
    return DONE();
}
