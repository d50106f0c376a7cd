/* The same bytes executed from two offsets: a jump into the middle of an immediate. */
#include "x86.h"

/* mov eax, imm32 whose immediate is: inc ecx-like bytes (48 ff c1 = inc rcx), then c3-free nop */
PIECE(p_over, "xor %ecx, %ecx; mov $3, %edx; jmp 1f+1; 1: .byte 0xb8, 0x48, 0xff, 0xc1, 0x90; dec %edx; jnz 1b;"
              "mov $2, %edx; 2: jmp 1f+1; 1: .byte 0xb8, 0x48, 0xff, 0xc1, 0x90; dec %edx; jnz 2b");

int main(void)
{
    regs_try("over", p_over);
    regs_try("over", p_over);
    return DONE();
}
