/* Stack instructions whose operand is the stack pointer or memory that it addresses: push %rsp, pop %rsp,
 * push (%rsp), pop (%rsp), pop 8(%rsp), call *(%rsp), call *8(%rsp), jmp *(%rsp), push of all sizes. */
#include "x86.h"

__asm__(".pushsection .text\nadd_one: add $1, %rax; ret\n.popsection\n");
PIECE(push_rsp, "mov %rsp, %r8; push %rsp; pop %r9; sub %r8, %r9; mov $0, %r8");
PIECE(pop_rsp, "mov %rsp, %r8; lea -64(%rsp), %r9; push %r8; mov %rsp, %r10; pop %rsp; mov %rsp, %r11; sub %r8, %r11;"
               "sub %r8, %r10; xor %r8, %r8; xor %r9, %r9");
PIECE(push_mem, "push $5; push (%rsp); pop %rax; pop %rbx; push $7; push $8; push 8(%rsp); pop %rcx; pop %rdx;"
                " pop %rsi");
PIECE(pop_mem, "push $1; push $2; push $3; pop (%rsp); pop %rax; pop %rbx");
PIECE(pop_mem8, "push $1; push $2; push $3; pop 8(%rsp); pop %rax; pop %rbx");
PIECE(push_index, "push $9; push $10; mov $1, %ecx; push (%rsp, %rcx, 8); pop %rax; pop %rbx; pop %rdx");
PIECE(push16, "mov %rsp, %r8; pushw $0x1234; pushw %bx; pop %cx; popw %dx; sub %rsp, %r8");
PIECE(push_imm, "push $-1; push $0x7fffffff; pop %rax; pop %rbx");
PIECE(call_rsp, "xor %eax, %eax; lea add_one(%rip), %rcx; push %rcx; call *(%rsp); pop %rcx; sub %rcx, %rcx");
PIECE(call_rsp8, "xor %eax, %eax; lea add_one(%rip), %rcx; push %rcx; push $0; call *8(%rsp); pop %rcx; pop %rcx;"
                 " sub %rcx, %rcx");
PIECE(call_below, "xor %eax, %eax; lea add_one(%rip), %rcx; mov %rcx, -8(%rsp); call *-8(%rsp); sub %rcx, %rcx");
PIECE(jmp_rsp, "lea 1f(%rip), %rcx; push %rcx; jmp *(%rsp); ud2; 1: pop %rcx; sub %rcx, %rcx");
PIECE(jmp_rsp_reg, "lea 1f(%rip), %rcx; push %rcx; mov $0, %edx; jmp *(%rsp, %rdx, 8); ud2; 1: pop %rcx;"
                   " sub %rcx, %rcx");
PIECE(xchg_rsp, "mov %rsp, %rbx; lea -128(%rsp), %rax; xchg %rax, %rsp; push $33; pop %rcx; xchg %rax, %rsp;"
                "sub %rsp, %rbx; sub %rax, %rax");
PIECE(mov_through, "mov %rsp, %rax; push %rax; mov (%rsp), %rsp; sub %rsp, %rax");
PIECE(leave_form, "push %rbp; mov %rsp, %rbp; sub $64, %rsp; push $1; leave; cmp %eax, %eax");

int main(void)
{
#define TRY(piece) regs_try(#piece, piece)
    TRY(push_rsp), TRY(pop_rsp), TRY(push_mem), TRY(pop_mem), TRY(pop_mem8), TRY(push_index), TRY(push16),
        TRY(push_imm);
    TRY(call_rsp), TRY(call_rsp8), TRY(call_below), TRY(jmp_rsp), TRY(jmp_rsp_reg), TRY(xchg_rsp), TRY(mov_through);
    TRY(leave_form);
    return DONE();
}
