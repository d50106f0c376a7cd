/* The context of SIGFPE raised by unmasked SSE and x87 exceptions. */
#include "fault.h"

PIECE(sse_divide, "pushq $0x1d80; ldmxcsr (%rsp); pop %rax; xorps %xmm0, %xmm0; pcmpeqd %xmm1, %xmm1; psrld $2, %xmm1;"
      " divss %xmm0, %xmm1; nop");
PIECE(sse_invalid, "pushq $0x1f00; ldmxcsr (%rsp); pop %rax; xorps %xmm0, %xmm0; divss %xmm0, %xmm0");
PIECE(x87_divide, "fninit; pushq $0x37b; fldcw (%rsp); pop %rax; fldz; fld1; fdivp %st, %st(1); nop; nop; fwait");
PIECE(clean, "fninit; pushq $0x1f80; ldmxcsr (%rsp); pop %rax");

int main(void)
{
    fault_catch_all();
    struct regs r;
    r = regs_fresh(), fault_try("sse_divide", sse_divide, &r);
    r = regs_fresh(), x86_call(clean, &r);
    r = regs_fresh(), fault_try("sse_invalid", sse_invalid, &r);
    r = regs_fresh(), x86_call(clean, &r);
    r = regs_fresh(), fault_try("x87_divide", x87_divide, &r);
    r = regs_fresh(), x86_call(clean, &r);
    return DONE();
}
