/* The x87 register stack: overflow, underflow, fxch, ffree, tags, constants, transcendental results bit by bit. */
#include "t.h"

static void show(const char *what)
{
    u8 save[108];
    __asm__ volatile("fnsave %0; frstor %0" : "+m"(save));
    printf("%-8s cw %04x sw %04x tag %04x regs", what, *(u16 *)save, *(u16 *)(save + 4), *(u16 *)(save + 8));
    printf(" %016llx\n", (unsigned long long)t_hash(T_HASH0, save + 28, 80));
}

int main(void)
{
    __asm__ volatile("fninit");
    show("init");
    __asm__ volatile("fldpi; fldl2e; fldl2t; fldlg2; fldln2; fld1; fldz; fld %st(3)");
    show("full");
    __asm__ volatile("fldz");
    show("overflow");
    __asm__ volatile("fnclex; fninit; faddp");
    show("underflow");
    __asm__ volatile("fnclex; fninit; fldpi; fsin; fldpi; fcos; fldl2e; fptan; fldln2; fpatan");
    show("trans");
    __asm__ volatile("fninit; fldpi; fld1; fxch; fsqrt; frndint; fscale; fabs; fchs; fxtract; ffree %st(1); fincstp");
    show("misc");
    __asm__ volatile("fninit; fldl2t; fldpi; fprem; fprem1; fldl2e; fyl2x; f2xm1; fld1; fcomi %st(1);"
                     " fcmovb %st(1), %st");
    show("prem");
    __asm__ volatile("fninit");
    return DONE();
}
