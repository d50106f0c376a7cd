/* ret with an immediate: callee removes 8, 16 and 0x1000 bytes of arguments; also through a tail jump.
 * test-schemes: yes */
#include "x86.h"

__asm__(".pushsection .text\npops8: mov 8(%rsp), %rax; ret $8\npops16: mov 16(%rsp), %rbx; jmp 1f; 1: ret $16\n"
        "pops0: ret $0\npops4k: ret $0x1000\n.popsection\n");
PIECE(p_ret8, "mov %rsp, %r8; push $77; call pops8; sub %rsp, %r8");
PIECE(p_ret16, "mov %rsp, %r8; push $55; push $66; call pops16; sub %rsp, %r8");
PIECE(p_ret0, "mov %rsp, %r8; call pops0; sub %rsp, %r8");
PIECE(p_ret4k, "mov %rsp, %r8; sub $0x1000, %rsp; call pops4k; sub %rsp, %r8");
PIECE(p_loop, "mov $1000, %ecx; xor %edx, %edx; 1: push %rcx; call pops8; add %rax, %rdx; loop 1b");

int main(void)
{
    regs_try("ret8", p_ret8), regs_try("ret16", p_ret16), regs_try("ret0", p_ret0), regs_try("ret4k", p_ret4k);
    regs_try("loop", p_loop);
    return DONE();
}
