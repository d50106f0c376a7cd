/* Stacks in odd places: a misaligned rsp, a stack in a small mapping, rsp used as a general register for a while. */
#include "x86.h"

static u8 small[256] __attribute__((used, aligned(16)));
PIECE(p_misaligned, "mov %rsp, %rbx; sub $13, %rsp; push $7; call 1f; pop %rcx; mov %rbx, %rsp; xor %ebx, %ebx;"
                    " jmp 2f; 1: mov $4, %eax; ret; 2:");
PIECE(p_small, "mov %rsp, %rbx; lea small+256(%rip), %rsp; push $9; call 1f; pop %rcx; mov %rbx, %rsp;"
               " xor %ebx, %ebx; jmp 2f; 1: mov $5, %eax; ret; 2:");
PIECE(p_general, "mov %rsp, %rbx; mov $100, %esp; xor %eax, %eax; 1: add %rsp, %rax; dec %rsp; jnz 1b;"
                 " lea 1b(%rip), %rcx; lea 2f(%rip), %rcx;"
                 "jmp *%rcx; ud2; 2: mov %rbx, %rsp; xor %ebx, %ebx; xor %ecx, %ecx");
PIECE(p_syscall, "mov %rsp, %rbx; xor %esp, %esp; mov $39, %eax; syscall; mov %rbx, %rsp; xor %ebx, %ebx;"
                 " xor %eax, %eax; xor %ecx, %ecx");

int main(void)
{
    regs_try("misaligned", p_misaligned), regs_try("small", p_small), regs_try("general", p_general),
        regs_try("syscall", p_syscall);
    return DONE();
}
