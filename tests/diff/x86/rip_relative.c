/* rip-relative operands with integer instructions of every shape: immediates behind the displacement, read-modify-
 * write, push, pop, xchg, cmpxchg, bt, setcc, cmov, shifts, lea, and operands that use most registers. */
#include "x86.h"

static u64 data[8] __attribute__((used)) = {0x123456789abcdef0, 2, 3, 0x8000000000000000, 5, 6, 7, 8};
__asm__(".set d, data");

PIECE(p_mov, "mov d(%rip), %rax; mov d+8(%rip), %ecx; movb d+1(%rip), %dl; mov %r15, d+16(%rip)");
PIECE(p_mov_imm, "movq $-5, d(%rip); movl $0x11223344, d+8(%rip); movw $0x5566, d+12(%rip); movb $0x77, d+14(%rip)");
PIECE(p_lea, "lea d+24(%rip), %rax; lea d(%rip), %rbx; sub %rbx, %rax; xor %ebx, %ebx");
PIECE(p_cmp, "cmpq $3, d+16(%rip); pushfq; pop %rax; cmpl $-1, d+8(%rip); pushfq; pop %rcx; cmpb $7, d+48(%rip)");
PIECE(p_arith, "stc; adcq $100, d(%rip); sbbl $7, d+8(%rip); xorw $0x1234, d+16(%rip); incb d+24(%rip);"
               " negq d+32(%rip); notl d+40(%rip); addq %rax, d+48(%rip); sub d+56(%rip), %rbx");
PIECE(p_stack, "pushq d(%rip); popq d+8(%rip); pushw d+16(%rip); popw d+24(%rip)");
PIECE(p_xchg, "xchg %rax, d(%rip); xchg d+8(%rip), %cl; xadd %rdx, d+16(%rip); lock xadd %ebx, d+24(%rip)");
PIECE(p_cas, "mov d(%rip), %rax; lock cmpxchg %rcx, d(%rip); sete %r8b; cmpxchg %edx, d+8(%rip); sete %r9b");
PIECE(p_bits, "bt $3, d(%rip); setc %al; btsq $63, d+8(%rip); setc %bl; mov $70, %ecx; btr %rcx, d+16(%rip);"
              " bsf d(%rip), %r8;"
              " bsr d+24(%rip), %r9; popcnt d(%rip), %r10; bswap %r11");
PIECE(p_setcc, "cmp %rax, %rax; sete d(%rip); setne d+1(%rip); setg d+2(%rip); setbe d+3(%rip)");
PIECE(p_cmov, "cmp %rax, %rbx; cmova d(%rip), %r8; cmovbe d+8(%rip), %r9; cmovo d+16(%rip), %r10d");
PIECE(p_mul, "imul $1000003, d(%rip), %rax; imul $-3, d+8(%rip), %ecx; imul d+16(%rip), %rdx; mov $3, %eax;"
             " mulq d+24(%rip)");
PIECE(p_div, "mov $1000, %eax; xor %edx, %edx; divq d+16(%rip)");
PIECE(p_shift, "shlq $5, d(%rip); sarl d+8(%rip); mov $9, %ecx; rolq %cl, d+16(%rip); shld $3, %rax, d+24(%rip);"
               " shrd %cl, %rbx, d+32(%rip)");
PIECE(p_extend, "movzbl d(%rip), %eax; movswq d(%rip), %rcx; movslq d+4(%rip), %rdx; movzwl d+2(%rip), %ebx");
PIECE(p_all_regs, "xor %eax, %eax; adcx d(%rip), %rax; mov d(%rip), %r12; mov d+8(%rip), %r13; mov d+16(%rip), %rbp;"
                  " mov d+24(%rip), %rsi; mov d+32(%rip), %rdi");
PIECE(p_nop, "nopl d(%rip); prefetcht0 d(%rip); testq $0x7fffffff, d(%rip); testb $1, d(%rip)");

static void try(const char *name, void (*piece)(void))
{
    regs_try(name, piece);
    printf("  data %016llx\n", (unsigned long long)t_hash(T_HASH0, data, sizeof data));
}

int main(void)
{
#define TRY(piece) try(#piece, piece)
    TRY(p_mov), TRY(p_mov_imm), TRY(p_lea), TRY(p_cmp), TRY(p_arith), TRY(p_stack), TRY(p_xchg), TRY(p_cas);
    TRY(p_bits), TRY(p_setcc), TRY(p_cmov), TRY(p_mul), TRY(p_div), TRY(p_shift), TRY(p_extend), TRY(p_all_regs);
    TRY(p_nop);
    return DONE();
}
