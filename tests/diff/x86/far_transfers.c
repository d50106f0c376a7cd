/* Far returns and iretq inside the 64-bit code segment; the program stays in it. */
#include "x86.h"

PIECE(p_lret, "lea 1f(%rip), %rax; mov %cs, %ecx; push %rcx; push %rax; lretq; ud2; 1: mov $5, %eax; xor %ecx, %ecx");
PIECE(p_iret, "mov %rsp, %rdx; mov %ss, %eax; push %rax; push %rdx; pushfq; mov %cs, %eax; push %rax;"
              " lea 1f(%rip), %rax; push %rax;"
              "iretq; ud2; 1: mov $7, %eax; sub %rsp, %rdx");

int main(void)
{
    regs_try("lret", p_lret), regs_try("iret", p_iret);
    return DONE();
}
