/* ah, bh, ch, dh in every role; partial register writes keep what natively is kept; 32-bit
 * writes clear the upper half. */
#include "x86.h"

PIECE(p_move, "mov %ah, %bl; mov %bh, %ch; mov %dl, %ah; xchg %ah, %al; xchg %dh, %bh");
PIECE(p_arith, "add %ah, %al; adc %ch, %dh; sub $7, %bh; cmp %ah, %dh; sbb %ah, %ah; imul %bh");
PIECE(p_extend, "movzx %ah, %ebp; movsx %bh, %esi; movzx %ch, %di; cmp %rax, %rax; sete %dh; cbtw; cwtl; cltq");
PIECE(p_partial, "mov $1, %al; mov $2, %bx; mov $3, %ecx; movw $4, %r8w; movb $5, %r9b; movb $6, %sil; mov $7, %r10d");
PIECE(p_convert, "cwtd; cltd; cqto; xchg %eax, %eax; .byte 0x87, 0xc0; xchg %r8d, %eax; nop");
PIECE(p_shift, "shl $3, %ah; sar %bh; mov $5, %cl; rol %cl, %dh; ror $1, %ch; rcl $2, %ah");

int main(void)
{
    regs_try("move", p_move), regs_try("arith", p_arith), regs_try("extend", p_extend), regs_try("partial", p_partial);
    regs_try("convert", p_convert), regs_try("shift", p_shift);
    return DONE();
}
