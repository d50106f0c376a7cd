/* x86.h: run a piece of assembly with a chosen register file and see what it leaves.
 * A piece is a label in an asm block, ends with ret, and must keep rsp balanced. */
#ifndef TEST_X86_H
#define TEST_X86_H
#include "t.h"

struct regs {
    u64 rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15, flags;
};

void x86_call(void (*piece)(void), struct regs *regs);
__asm__(".pushsection .text\n"
        ".globl x86_call\n.type x86_call,@function\n"
        "x86_call:\n"
        "  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
        "  push %rsi; push %rdi\n"
        "  mov %rsi, %rax\n"
        "  pushq 120(%rax)\n"
        "  mov 8(%rax), %rbx; mov 16(%rax), %rcx; mov 24(%rax), %rdx; mov 32(%rax), %rsi; mov 40(%rax), %rdi\n"
        "  mov 48(%rax), %rbp; mov 56(%rax), %r8; mov 64(%rax), %r9; mov 72(%rax), %r10; mov 80(%rax), %r11\n"
        "  mov 88(%rax), %r12; mov 96(%rax), %r13; mov 104(%rax), %r14; mov 112(%rax), %r15; mov (%rax), %rax\n"
        "  popfq\n"
        "  call *(%rsp)\n"
        "  pushfq; push %rax\n"
        "  mov 24(%rsp), %rax\n"
        "  mov %rbx, 8(%rax); mov %rcx, 16(%rax); mov %rdx, 24(%rax); mov %rsi, 32(%rax); mov %rdi, 40(%rax)\n"
        "  mov %rbp, 48(%rax); mov %r8, 56(%rax); mov %r9, 64(%rax); mov %r10, 72(%rax); mov %r11, 80(%rax)\n"
        "  mov %r12, 88(%rax); mov %r13, 96(%rax); mov %r14, 104(%rax); mov %r15, 112(%rax)\n"
        "  pop %rcx; mov %rcx, (%rax)\n"
        "  pop %rcx; mov %rcx, 120(%rax)\n"
        "  cld; lea 16(%rsp), %rsp\n"
        "  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\n"
        "  ret\n"
        ".size x86_call,.-x86_call\n"
        ".popsection\n");

/* A register file that shows at once which register a value came from. */
static inline struct regs regs_fresh(void)
{
    struct regs r;
    u64 *p = (u64 *)&r;
    for (int i = 0; i < 15; i++)
        p[i] = 0x1111111111111111ull * (u64)(i + 1) ^ (0x0102030405060708ull << (i & 7));
    r.flags = 0x202;
    return r;
}

static inline void regs_print(const char *what, const struct regs *r)
{
    static const char *const name[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8",
                                       "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "flags"};
    const u64 *p = (const u64 *)r;
    printf("%s:", what);
    for (int i = 0; i < 16; i++)
        printf(" %s=%llx", name[i], (unsigned long long)p[i]);
    printf("\n");
}

/* Runs a piece with a fresh register file and prints the result. Registers that hold addresses are for the caller. */
static inline void regs_try(const char *what, void (*piece)(void))
{
    struct regs r = regs_fresh();
    x86_call(piece, &r);
    regs_print(what, &r);
}

/* PIECE(name, "assembly"): a global label with a ret behind it, and its C declaration. */
#define PIECE(name, text)                                                                         \
    void name(void);                                                                              \
    extern const char name##_end[];                                                               \
    __asm__(".pushsection .text\n.globl " #name "\n.globl " #name "_end\n" #name ":\n" text "\n"  \
            #name "_end:\n  ret\n.popsection\n")
#endif
