/* Returns to places that no call left: a changed return address, push and ret, a return past the call site,
 * two returns for one call, a call without return, a return into the middle of a block.
 * test-schemes: yes */
#include "x86.h"

PIECE(p_skip, "xor %eax, %eax; call 1f; add $1, %eax; add $2, %eax; jmp 2f; 1: addq $3, (%rsp); ret; 2:");
PIECE(p_push_ret, "lea 1f(%rip), %rcx; push %rcx; xor %ecx, %ecx; .byte 0xc3; ud2; 1: mov $3, %eax");
PIECE(p_drop, "call 1f; ud2; 1: lea 8(%rsp), %rsp; mov $4, %eax");
PIECE(p_twice, "xor %eax, %eax; lea 2f(%rip), %rcx; push %rcx; xor %ecx, %ecx; call 1f; add $1, %eax; .byte 0xc3;"
               " 1: add $10, %eax;"
               ".byte 0xc3; 2: add $100, %eax");
PIECE(p_chain, "xor %eax, %eax; lea 3f(%rip), %rcx; push %rcx; lea 2f(%rip), %rcx; push %rcx; lea 1f(%rip), %rcx;"
               " push %rcx;"
               "xor %ecx, %ecx; .byte 0xc3; 1: add $1, %eax; .byte 0xc3; 2: add $20, %eax; .byte 0xc3;"
               " 3: add $300, %eax");
PIECE(p_middle, "lea 1f+1(%rip), %rcx; push %rcx; xor %ecx, %ecx; .byte 0xc3; 1: .byte 0xb8; nop; nop; nop; nop;"
                " mov $5, %eax");
PIECE(p_rep_ret, "call 1f; jmp 2f; 1: mov $6, %eax; rep ret; 2:");
PIECE(p_bnd_ret, "call 1f; jmp 2f; 1: mov $7, %eax; .byte 0xf2, 0xc3; 2:");

int main(void)
{
    for (int i = 0; i < 3; i++) {
        regs_try("skip", p_skip), regs_try("push_ret", p_push_ret), regs_try("drop", p_drop),
            regs_try("twice", p_twice);
        regs_try("chain", p_chain), regs_try("middle", p_middle), regs_try("rep_ret", p_rep_ret);
        regs_try("bnd_ret", p_bnd_ret);
    }
    return DONE();
}
