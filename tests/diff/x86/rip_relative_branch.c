/* Indirect calls and jumps through rip-relative memory, and conditional ones around them.
 * test-schemes: yes */
#include "x86.h"

__asm__(".pushsection .data\n.balign 8\ncell1: .quad target1\ncell2: .quad target2\ncell3: .quad 0\n.popsection\n"
        ".pushsection .text\ntarget1: add $1, %rax; ret\ntarget2: add $2, %rax; jmp *cell3(%rip)\n.popsection\n");
PIECE(p_call, "xor %eax, %eax; call *cell1(%rip); call *cell1(%rip); cmp $2, %eax; jne 1f; call *cell1(%rip); 1:");
PIECE(p_jump, "xor %eax, %eax; lea 1f(%rip), %rcx; mov %rcx, cell3(%rip); jmp *cell2(%rip); add $100, %rax;"
              " 1: xor %ecx, %ecx");
PIECE(p_push, "xor %eax, %eax; lea 1f(%rip), %rcx; push %rcx; pushq cell1(%rip); xor %ecx, %ecx; .byte 0xc3;"
              " add $50, %rax; 1:");

int main(void)
{
    regs_try("call", p_call);
    regs_try("jump", p_jump);
    regs_try("push and ret", p_push);
    return DONE();
}
