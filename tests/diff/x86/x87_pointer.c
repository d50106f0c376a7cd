/* The x87 last-instruction and last-operand pointers are the program's own addresses: fnstenv, fnsave, fxsave64.
 * test-schemes: exec */
#include "x86.h"

static double value __attribute__((used)) = 2.5;
static u8 env[128] __attribute__((used, aligned(16))), fx[512] __attribute__((used, aligned(16)));
extern const char at_fld[], at_fadd[], at_fsin[];
PIECE(p_fx, "fninit; .globl at_fld; at_fld: fldl value(%rip); fxsave64 fx(%rip)");
PIECE(p_env, "fninit; fld1; .globl at_fadd; at_fadd: faddl value(%rip); fnstenv env(%rip)");
PIECE(p_save, "fninit; fldz; .globl at_fsin; at_fsin: fsin; nop; fnsave env(%rip)");

int main(void)
{
    struct regs r = regs_fresh();
    x86_call(p_fx, &r);
    u64 fip = *(u64 *)(fx + 8), fdp = *(u64 *)(fx + 16);
    printf("fxsave64: fip %s fdp %s fop %x\n", fip == (u64)at_fld ? "right" : fip ? "wrong" : "zero",
           fdp == (u64)&value ? "right" : fdp ? "wrong" : "zero", *(u16 *)(fx + 6));
    x86_call(p_env, &r);
    printf("fnstenv: fip %s fdp %s\n", *(u32 *)(env + 12) == (u32)(u64)at_fadd ? "right" : "other",
           *(u32 *)(env + 20) == (u32)(u64)&value ? "right" : "other");
    x86_call(p_save, &r);
    printf("fnsave: fip %s\n", *(u32 *)(env + 12) == (u32)(u64)at_fsin ? "right" : "other");
    return DONE();
}
