/* The trap flag across transfers, rewritten operands, repeated strings, system calls and popf itself: a SIGTRAP after each
 * instruction, at the native addresses and with the native flags. */
#include "x86.h"
static u64 begin;
static int steps;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    greg_t *g = ((ucontext_t *)ctx)->uc_mcontext.gregs;
    t_say("step %d at %lld code %d trapno %lld fl %llx\n", steps, (long long)((u64)g[REG_RIP] - begin), si->si_code,
          (long long)g[REG_TRAPNO], (long long)g[REG_EFL]);
    if (++steps == 60) g[REG_EFL] &= ~0x100ll;
}
static u64 word __attribute__((used)) = 5;
static u8 buf[64] __attribute__((used));
PIECE(p_jmp, "pushfq; orq $0x100, (%rsp); popfq; jmp 1f; nop; 1: nop; jmp 2f; 2: xor %eax,%eax; jz 3f; nop; 3: jnz 3b; call 4f; jmp 5f; 4: ret; 5: nop; pushfq; andq $~0x100,(%rsp); popfq; nop; nop");
PIECE(p_ind, "pushfq; orq $0x100, (%rsp); popfq; lea 1f(%rip), %rax; jmp *%rax; nop; 1: lea 4f(%rip), %rax; call *%rax; jmp 5f; 4: ret; 5: pushfq; andq $~0x100,(%rsp); popfq; nop; nop");
PIECE(p_rip, "pushfq; orq $0x100, (%rsp); popfq; mov word(%rip), %rax; add word(%rip), %rax; mov %fs:0, %rcx; lea buf(%rip), %rdi; mov $4, %ecx; cld; rep stosb; pushfq; andq $~0x100,(%rsp); popfq; nop; nop");
PIECE(p_sys, "pushfq; orq $0x100, (%rsp); popfq; mov $39, %eax; syscall; nop; mov $39, %eax; syscall; xor %eax, %eax; cpuid; nop; pushfq; andq $~0x100,(%rsp); popfq; nop; nop");
PIECE(p_direct, "pushfq; orq $0x100, (%rsp); popfq; syscall; nop; pushfq; andq $~0x100,(%rsp); popfq; nop; nop");
PIECE(p_stenv, "fninit; pushfq; orq $0x100, (%rsp); popfq; fxsave buf2(%rip); nop; pushfq; andq $~0x100,(%rsp); popfq; nop; nop");
static u8 buf2[512] __attribute__((used,aligned(64)));
PIECE(p_ss, "pushfq; orq $0x100, (%rsp); popfq; mov %ss, %eax; mov %eax, %ss; nop; nop; pushfq; andq $~0x100,(%rsp); popfq; nop; nop");
static void go(const char *n, void (*p)(void)) { begin=(u64)p; steps=0; struct regs r = regs_fresh(); r.rax=39; t_say("%s\n", n); x86_call(p, &r); }
int main(void)
{
    t_handle(SIGTRAP, handler, 0);
    go("jmp", p_jmp); go("ind", p_ind); go("rip", p_rip); go("sys", p_sys); go("direct", p_direct); go("stenv", p_stenv); go("ss", p_ss);
    return DONE();
}
