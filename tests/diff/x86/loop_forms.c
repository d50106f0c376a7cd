/* loop, loope, loopne, jrcxz, jecxz, with 64- and 32-bit counters, taken and not, forward and back. */
#include "x86.h"

PIECE(p_loop, "mov $5, %ecx; xor %eax, %eax; 1: inc %rax; loop 1b");
PIECE(p_loop_flags, "mov $3, %ecx; stc; 1: loop 1b; setc %al");
PIECE(p_loope, "mov $9, %ecx; xor %eax, %eax; 1: inc %rax; cmp $4, %rax; setne %bl; cmp $1, %bl; loope 1b");
PIECE(p_loopne, "mov $9, %ecx; xor %eax, %eax; 1: inc %rax; cmp $4, %rax; loopne 1b");
PIECE(p_loop32, "movabs $0xff00000003, %rcx; xor %eax, %eax; 1: inc %rax; .byte 0x67; loop 1b");
PIECE(p_jrcxz, "xor %ecx, %ecx; mov $1, %eax; jrcxz 1f; mov $2, %eax; 1: inc %rcx; jrcxz 2f; add $10, %eax; 2:");
PIECE(p_jecxz, "movabs $0x100000000, %rcx; mov $1, %eax; jecxz 1f; mov $2, %eax; 1: jrcxz 2f; add $10, %eax; 2:");
PIECE(p_wrap, "xor %ecx, %ecx; loop 1f; mov $7, %eax; 1:");
PIECE(p_loop_forward, "mov $2, %ecx; loop 1f; mov $1, %eax; 1: loop 2f; mov $3, %eax; 2:");

int main(void)
{
    regs_try("loop", p_loop), regs_try("loop_flags", p_loop_flags), regs_try("loope", p_loope);
    regs_try("loopne", p_loopne), regs_try("loop32", p_loop32), regs_try("jrcxz", p_jrcxz);
    regs_try("jecxz", p_jecxz), regs_try("wrap", p_wrap), regs_try("loop_forward", p_loop_forward);
    return DONE();
}
