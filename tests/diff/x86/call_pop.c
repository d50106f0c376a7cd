/* The call/pop idiom reads the program's own address, and a return address that was read is a native one.
 * test-schemes: yes */
#include "x86.h"

PIECE(p_pop, "call 1f; 1: pop %rax; lea 1b(%rip), %rbx; sub %rbx, %rax; xor %ebx, %ebx");
PIECE(p_read, "call 2f; 1: jmp 3f; 2: mov (%rsp), %rax; lea 1b(%rip), %rbx; sub %rbx, %rax; ret; 3: xor %ebx, %ebx");
PIECE(p_far, "call 1f; .ascii \"data after call\"; 1: pop %rax; movzbl (%rax), %eax");
PIECE(p_ind, "lea 2f(%rip), %rcx; call *%rcx; 1: jmp 3f; 2: mov (%rsp), %rax; lea 1b(%rip), %rbx; sub %rbx, %rax; ret;"
             "3: xor %ebx, %ebx; xor %ecx, %ecx");

int main(void)
{
    for (int i = 0; i < 3; i++)
        regs_try("pop", p_pop), regs_try("read", p_read), regs_try("far", p_far), regs_try("ind", p_ind);
    return DONE();
}
