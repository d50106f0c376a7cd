/* pushf, popf (64 and 16 bits), lahf, sahf, cld, std, cmc, and the bits that user mode may not change. */
#include "x86.h"

PIECE(p_all, "push $0x244ed7; popfq; pushfq; pop %rax; push $0x202; popfq");
PIECE(p_none, "push $0; popfq; pushfq; pop %rax");
PIECE(p_iopl, "push $0x3202; popfq; pushfq; pop %rax");
PIECE(p_word, "pushw $0xeff; popfw; pushfw; pop %ax; cld");
PIECE(p_lahf, "push $0x8d7; popfq; lahf; mov %eax, %ebx; mov $0, %ah; sahf; pushfq; pop %rcx");
PIECE(p_sahf, "mov $0xff, %ah; sahf; pushfq; pop %rcx; lahf");
PIECE(p_carry, "stc; setc %al; cmc; setc %bl; clc; setc %cl; std; pushfq; pop %rdx; cld; pushfq; pop %rsi");
PIECE(p_id, "pushfq; pop %rax; xor $0x200000, %rax; push %rax; popfq; pushfq; pop %rbx; xor %rbx, %rax;"
            " mov $0x202, %ebx;"
            " push %rbx; popfq");

int main(void)
{
    regs_try("all", p_all), regs_try("none", p_none), regs_try("iopl", p_iopl), regs_try("word", p_word);
    regs_try("lahf", p_lahf), regs_try("sahf", p_sahf), regs_try("carry", p_carry), regs_try("id", p_id);
    return DONE();
}
