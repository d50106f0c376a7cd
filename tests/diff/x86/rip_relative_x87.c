/* rip-relative operands with x87, MMX, mxcsr and the state-saving instructions. */
#include "x86.h"

static double in[4] __attribute__((used)) = {1.5, -2.25, 1e300, 3};
static u8 out[64] __attribute__((used, aligned(16)));
static u32 csr __attribute__((used)) = 0x1f80;
static u8 area[512] __attribute__((used, aligned(64)));

PIECE(p_x87, "fninit; fldl in(%rip); fmull in+8(%rip); fstpt out(%rip); fildl in+4(%rip); fistpll out+16(%rip);"
             "fnstcw out+24(%rip); fldcw out+24(%rip); fldl in+16(%rip); fcompl in(%rip); fnstsw out+26(%rip)");
PIECE(p_mmx, "movq in(%rip), %mm0; paddb in+8(%rip), %mm0; movq %mm0, out+32(%rip); emms");
PIECE(p_csr, "stmxcsr out+40(%rip); ldmxcsr csr(%rip)");
PIECE(p_fx, "fxsave area(%rip); fxrstor area(%rip)");

int main(void)
{
    regs_try("x87", p_x87), regs_try("mmx", p_mmx), regs_try("csr", p_csr), regs_try("fx", p_fx);
    for (int i = 0; i < 64; i++)
        printf("%02x%s", out[i], i % 16 == 15 ? "\n" : "");
    printf("%04x\n", *(u16 *)area);
    return DONE();
}
