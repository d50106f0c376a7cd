/* Far returns, jumps and calls and iret, of every operand size, that stay in 64-bit code; and their faults. test-prefix: setarch -R */
#include "fault.h"
#include <stdbool.h>

/* r8: target, r9: selector. rbp keeps the stack pointer. The target is a piece in low memory that notes rsp in r10 and
 * goes on at r12. Words that were pushed are read back. */
#define AROUND(text) "mov %rsp, %rbp; lea 1f(%rip), %r12; " text "; 1: mov %rbp, %rsp; sub %rbp, %r10"
PIECE(p_lretq, AROUND("push %r9; push %r8; lretq"));
PIECE(p_lretq_imm, AROUND("push $0; push $0; push $0; push %r9; push %r8; lretq $24"));
PIECE(p_lretl, AROUND("sub $8, %rsp; mov %r8d, (%rsp); mov %r9d, 4(%rsp); lretl"));
PIECE(p_lretl_imm, AROUND("sub $16, %rsp; mov %r8d, (%rsp); mov %r9d, 4(%rsp); lretl $8"));
PIECE(p_lretw, AROUND("sub $8, %rsp; mov %r8w, (%rsp); mov %r9w, 2(%rsp); lretw"));
PIECE(p_ljmp, AROUND("mov %r8d, (%rdi); mov %r9w, 4(%rdi); ljmpl *(%rdi)"));
PIECE(p_ljmp_fs, AROUND("rdgsbase %rcx; wrgsbase %rdi; mov %r8d, (%rdi); mov %r9w, 4(%rdi); ljmpl *%gs:0"));
PIECE(p_ljmp_wide, AROUND("mov %r8, (%rdi); mov %r9w, 8(%rdi); rex.W ljmpl *(%rdi)"));
PIECE(p_ljmpw, AROUND("mov %r8w, (%rdi); mov %r9w, 2(%rdi); ljmpw *(%rdi)"));
PIECE(p_lcall, AROUND("mov %r8d, (%rdi); mov %r9w, 4(%rdi); lcalll *(%rdi); ud2") "; mov -4(%rbp), %ecx; mov -8(%rbp), %edx; "
                                                                                  "lea 1b(%rip), %eax; sub %eax, %edx");
/* rsi: stack pointer to go on with, r11: its segment, rbx: flags to go on with. */
PIECE(p_iretq, AROUND("push %r11; push %rsi; push %rbx; push %r9; push %r8; iretq"));
PIECE(p_iretl, AROUND("sub $20, %rsp; mov %r8d, (%rsp); mov %r9d, 4(%rsp); mov %ebx, 8(%rsp); mov %esi, 12(%rsp); mov %r11d, 16(%rsp);"
                      "iretl"));
PIECE(p_iretw, AROUND("sub $16, %rsp; mov %r8w, (%rsp); mov %r9w, 2(%rsp); mov %bx, 4(%rsp); mov %si, 6(%rsp); mov %r11w, 8(%rsp); iretw"));
PIECE(p_iret_nested, AROUND("push %r11; push %rsi; push %rbx; push %r9; push %r8; pushfq; orl $0x4000, (%rsp); popfq; iretq"));
/* The stack pointer itself is r14. */
PIECE(p_lret_at, AROUND("mov %r14, %rsp; lretq"));
PIECE(p_lretl_at, AROUND("mov %r14, %rsp; lretl"));
PIECE(p_iret_at, AROUND("mov %r14, %rsp; iretq"));
PIECE(p_ljmp_at, AROUND("ljmpl *(%r14)"));
PIECE(p_ljmp_stack, AROUND("mov %r14, %rsp; ljmpl *(%rsp)"));
PIECE(p_lcall_at, AROUND("mov %r8d, (%rdi); mov %r9w, 4(%rdi); mov %r14, %rsp; lcalll *(%rdi)"));

static u8 *low;

static void print(struct regs *r, bool shows_stack)
{
    printf("  r10 %llx rcx %llx rdx %llx flags %llx\n", (long long)(shows_stack ? r->r10 : 0), (long long)r->rcx, (long long)r->rdx,
           (long long)r->flags);
}

static struct regs fresh(u64 target, u16 selector)
{
    struct regs r = regs_fresh();
    r.r8 = target, r.r9 = selector | 0xabcd0000u, r.rdi = (u64)low + 512, r.rsi = (u64)low + 2048, r.r11 = 0x2b, r.rbx = 0x8d7;
    r.r14 = 0;
    return r;
}

static void try(const char *name, void (*piece)(void), u64 target, u16 selector)
{
    char what[64];
    struct regs r = fresh(target, selector);
    snprintf(what, sizeof what, "%s to %s %x", name, target == (u64)low ? "low" : target >> 63 ? "nowhere" : "page 0", selector);
    fault.addr_base = (u64)low;
    fault_try(what, piece, &r);
    bool has_own_stack = r.r10 == r.rsi - r.rbp;
    print(&r, !has_own_stack && piece != p_iretq);
}
#define TRY(p, ...) try(#p, p, __VA_ARGS__)

static void selectors(void)
{
    static void (*const piece[])(void) = { p_lretq, p_lretl, p_ljmp, p_lcall, p_iretq, p_iretl };
    static const u16 list[] = { 0x33, 0x30, 0x31, 0x32, 0, 3, 8, 0x10, 0x20, 0x2b, 0x38, 0x43, 0x63, 0x7b, 0x83, 0xf, 0x37, 0xfff3 };
    for (unsigned i = 0; i < sizeof piece / sizeof *piece; i++)
        for (unsigned j = 0; j < sizeof list / sizeof *list; j++) {
            if (list[j] == 0x20 && (piece[i] == p_ljmp || piece[i] == p_lcall))
                continue;                                 /* 32-bit code */
            char name[16];
            snprintf(name, sizeof name, "form %u", i);
            try(name, piece[i], (u64)low, list[j]);
        }
}

static void stack_segments(void)
{
    static const u16 list[] = { 0x2b, 0, 3, 0x28, 0x33, 0x23, 0x7b, 0x10, 0xffff };
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
        char what[32];
        struct regs r = fresh((u64)low, 0x33);
        r.r11 = list[i];
        snprintf(what, sizeof what, "iret with ss %x", list[i]);
        fault_try(what, p_iretq, &r);
        print(&r, false);
    }
}

/* Bad memory: page 1 behind `low` cannot be read, page 2 not written. */
static void bad_memory(void)
{
    static const struct { const char *name; void (*piece)(void); } list[] = {
        { "lret", p_lret_at }, { "lretl", p_lretl_at }, { "iret", p_iret_at }, { "ljmp", p_ljmp_at }, { "ljmp stack", p_ljmp_stack },
        { "lcall", p_lcall_at } };
    const u64 at[] = { (u64)low + 4096, (u64)low + 8191, (u64)low + 4088, (u64)low + 8192 + 8, (u64)low + 8192 + 4096, 16, 0x800000000000ull,
                       0x7ffffffffffcull };
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        for (unsigned j = 0; j < sizeof at / sizeof *at; j++) {
            char what[64];
            struct regs r = fresh((u64)low, 0x33);
            r.r14 = at[j];
            memcpy(low + 4088, &(u64){ (u64)low | 0x33ull << 32 }, 8);
            snprintf(what, sizeof what, "%s at %u", list[i].name, j);
            fault_try(what, list[i].piece, &r);
        }
}

int main(void)
{
    static const u8 code[] = { 0x49, 0x89, 0xe2, 0x41, 0xff, 0xe4 };       /* mov %rsp, %r10; jmp *%r12 */
    enum { RWX = PROT_READ | PROT_WRITE | PROT_EXEC };
    low = mmap((void *)0x20000000, 4 * 4096, RWX, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(low == (u8 *)0x20000000);
    memcpy(low, code, sizeof code);
    CHECK(!mprotect(low + 4096, 4096, PROT_NONE) && !mprotect(low + 8192, 4096, PROT_READ) && !munmap(low + 12288, 4096));
    fault_catch_all();
    TRY(p_lretq, (u64)low, 0x33), TRY(p_lretq_imm, (u64)low, 0x33), TRY(p_lretl, (u64)low, 0x33), TRY(p_lretl_imm, (u64)low, 0x33);
    TRY(p_lretw, 0x1000, 0x33), TRY(p_ljmp, (u64)low, 0x33), TRY(p_ljmp_fs, (u64)low, 0x33), TRY(p_ljmp_wide, (u64)low, 0x33);
    TRY(p_ljmpw, 0x1000, 0x33), TRY(p_lcall, (u64)low, 0x33), TRY(p_iretq, (u64)low, 0x33), TRY(p_iretl, (u64)low, 0x33);
    TRY(p_iretw, 0x1000, 0x33), TRY(p_iret_nested, (u64)low, 0x33), TRY(p_lretq, 0x8000000000000000ull, 0x33);
    TRY(p_iretq, 0x8000000000000000ull, 0x33);
    selectors();
    stack_segments();
    bad_memory();
    return DONE();
}
