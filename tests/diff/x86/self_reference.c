/* Code that reads its own bytes sees what the file holds. */
#include "x86.h"

PIECE(p_sum, "xor %eax, %eax; lea p_sum(%rip), %rsi; lea p_sum_end(%rip), %rcx; sub %rsi, %rcx; mov %rcx, %rdx;"
             "1: movzbl (%rsi), %ebx; rol $5, %rax; xor %rbx, %rax; inc %rsi; loop 1b; xor %esi, %esi");

int main(void)
{
    for (int i = 0; i < 3; i++)
        regs_try("sum", p_sum);
    return DONE();
}
