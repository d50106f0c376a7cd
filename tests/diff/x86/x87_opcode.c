/* Opcode and operand address of the last x87 instruction are the program's own, operand form included, after an unmasked
 * exception. */
#include "x86.h"

static float zero __attribute__((used));
static u8 env[128] __attribute__((used, aligned(16))), fx[512] __attribute__((used, aligned(16)));
static u16 unmasked __attribute__((used)) = 0x0300;
PIECE(p_fx, "fninit; fldcw unmasked(%rip); fld1; fdivs zero(%rip); fxsave64 fx(%rip); fnclex; fninit");
PIECE(p_fx32, "fninit; fldcw unmasked(%rip); fld1; fdivs zero(%rip); fxsave fx(%rip); fnclex; fninit");
PIECE(p_env, "fninit; fldcw unmasked(%rip); fld1; fdivs zero(%rip); fnstenv env(%rip); fnclex; fninit");
PIECE(p_gs, "fninit; fldcw unmasked(%rip); fld1; fdivs %gs:16; fxsave64 fx(%rip); fnclex; fninit");
PIECE(p_reg, "fninit; fldcw unmasked(%rip); fldz; fld1; fdivp; fnsave env(%rip); fnclex; fninit");

int main(void)
{
    struct regs r = regs_fresh();
    x86_call(p_fx, &r);
    printf("fxsave64 %x\n", *(u16 *)(fx + 6));
    memset(fx, 0, sizeof fx);
    x86_call(p_fx32, &r);
    printf("fxsave %x\n", *(u16 *)(fx + 6));
    static float in_gs[8];
    syscall(SYS_arch_prctl, 0x1001, in_gs);
    x86_call(p_gs, &r);
    printf("gs: fop %x fdp %llx\n", *(u16 *)(fx + 6), (unsigned long long)*(u64 *)(fx + 16));
    x86_call(p_env, &r);
    printf("fnstenv %x\n", *(u16 *)(env + 18) & 0x7ff);
    x86_call(p_reg, &r);
    printf("fnsave %x\n", *(u16 *)(env + 18) & 0x7ff);
    return DONE();
}
