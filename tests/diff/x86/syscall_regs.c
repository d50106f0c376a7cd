/* After syscall: rcx is the address behind it, r11 the flags, rax the result, everything else is kept. */
#include "x86.h"

extern const char behind[];
PIECE(p_ok, "mov $39, %eax; stc; std; syscall; .globl behind; behind: cld; mov $0, %eax; lea behind(%rip), %rdx;"
            " sub %rdx, %rcx;"
            "mov $0, %edx");
PIECE(p_bad, "mov $100000, %eax; syscall; mov %rax, %rbx; mov $0, %ecx");
PIECE(p_flags, "mov $39, %eax; cmp %rax, %rax; syscall; mov $0, %eax; pushfq; pop %rdx; mov $0, %ecx");
PIECE(p_write, "push $0x0a6968; mov $1, %eax; mov $1, %edi; mov %rsp, %rsi; mov $3, %edx; syscall; pop %rsi;"
               " mov $0, %ecx");

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    regs_try("getpid", p_ok), regs_try("no such call", p_bad), regs_try("flags", p_flags), regs_try("write", p_write);
    return DONE();
}
