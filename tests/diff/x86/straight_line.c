/* Very long blocks: two thousand instructions without a branch, and blocks with hundreds of conditional exits. */
#include "x86.h"

PIECE(p_long, "xor %eax, %eax; mov $1, %ebx; .rept 500; add %rbx, %rax; rol $3, %rax; inc %rbx; xor %rax, %rcx; .endr");
PIECE(p_exits, "xor %eax, %eax; xor %ecx, %ecx; .rept 300; inc %eax; test $0x400, %eax; jnz 1f; add %rax, %rcx;"
               " .endr; 1:");

int main(void)
{
    for (int i = 0; i < 3; i++)
        regs_try("long", p_long), regs_try("exits", p_exits);
    return DONE();
}
