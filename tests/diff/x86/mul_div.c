/* mul, imul in one-, two- and three-operand forms, div and idiv in all sizes. */
#include "x86.h"

PIECE(mul8, "mul %bl");
PIECE(mul16, "mul %bx");
PIECE(mul32, "mul %ebx");
PIECE(mul64, "mul %rbx");
PIECE(imul8, "imul %bl");
PIECE(imul64, "imul %rbx");
PIECE(imul2, "imul %rax, %rcx; imul %r8d, %r9d; imul %r10w, %r11w");
PIECE(imul3, "imul $-77, %rax, %rcx; imul $123456789, %r8d, %r9d; imul $-3, %r10w, %r11w");
PIECE(div8, "mov $0x1234, %eax; mov $0x77, %bl; div %bl");
PIECE(div16, "mov $0x12, %edx; mov $0x177, %ebx; div %bx");
PIECE(div32, "mov $0x12, %edx; mov $0x10077, %ebx; div %ebx");
PIECE(div64, "mov $0x12, %edx; div %rbx");
PIECE(idiv32, "mov $-18, %edx; mov $0x10077, %ebx; idiv %ebx");
PIECE(idiv64, "cqto; idiv %rbx");

int main(void)
{
    regs_try("mul8", mul8), regs_try("mul16", mul16), regs_try("mul32", mul32), regs_try("mul64", mul64);
    regs_try("imul8", imul8), regs_try("imul64", imul64), regs_try("imul2", imul2), regs_try("imul3", imul3);
    regs_try("div8", div8), regs_try("div16", div16), regs_try("div32", div32), regs_try("div64", div64);
    regs_try("idiv32", idiv32), regs_try("idiv64", idiv64);
    return DONE();
}
