/* Bytes below the red zone stay as the program left them over calls, returns, jumps and system calls (strict mode).
 * test-modes: strict */
#include "x86.h"

/* Fills 4 KB below rsp, does a little of everything that needs no stack below, and counts changed bytes. */
PIECE(p_jumps, "lea -4096(%rsp), %rdi; mov $0xab, %al; mov $4096, %ecx; rep stosb\n"
               "lea 1f(%rip), %rax; jmp *%rax; 1: mov $50, %ecx; 2: loop 2b; mov $39, %eax; syscall; cmp %rax, %rax;"
               " je 3f; nop; 3:\n"
               "xor %edx, %edx; lea -4096(%rsp), %rdi; mov $4096, %ecx; 4: cmpb $0xab, (%rdi); je 5f; inc %edx;"
               " 5: inc %rdi; loop 4b\n"
               "xor %eax, %eax; xor %edi, %edi; xor %r11, %r11");
PIECE(p_calls, "lea -4096(%rsp), %rdi; mov $0xab, %al; mov $4096, %ecx; rep stosb\n"
               "mov $300, %ebx; 1: call 2f; dec %ebx; jnz 1b; jmp 3f; 2: ret; 3: mov %fs:0, %rax; cpuid\n"
               "xor %edx, %edx; lea -4096(%rsp), %rdi; mov $4088, %ecx; 4: cmpb $0xab, (%rdi); je 5f; inc %edx;"
               " 5: inc %rdi; loop 4b\n"
               "xor %eax, %eax; xor %edi, %edi; xor %ebx, %ebx");

int main(void)
{
    for (int i = 0; i < 3; i++)
        regs_try("jumps", p_jumps), regs_try("calls", p_calls);
    return DONE();
}
