/* enter with and without nesting levels, and leave. */
#include "x86.h"

PIECE(level0, "mov %rsp, %r8; mov %rbp, %r9; enter $48, $0; mov %r8, %r10; sub %rsp, %r10; mov %r8, %r11;"
              " sub %rbp, %r11;"
              "leave; sub %rsp, %r8; sub %rbp, %r9");
PIECE(level1, "mov %rsp, %r8; mov %rbp, %r9; enter $16, $1; mov %r8, %r10; sub %rsp, %r10; mov (%rbp), %r11;"
              "leave; sub %rsp, %r8; sub %rbp, %r9");
PIECE(level3, "mov %rsp, %r8; push $11; push $22; push $33; lea 24(%rsp), %rbp; mov %rbp, %r9; enter $64, $3;"
              "mov -8(%rbp), %rax; mov -16(%rbp), %rbx; mov %rbp, %rcx; sub -24(%rbp), %rcx; mov %rbp, %rdx;"
              " sub %rsp, %rdx;"
              "leave; add $24, %rsp; sub %rsp, %r8; sub %rbp, %r9; xor %ebp, %ebp");

int main(void)
{
    regs_try("level0", level0), regs_try("level1", level1), regs_try("level3", level3);
    return DONE();
}
