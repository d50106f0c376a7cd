/* The x87 instruction pointer as a signal handler sees it in its context, and as xsave64 writes it in a later
 * function. */
#include "x86.h"

extern const char at_op[];
static double value __attribute__((used)) = 2.5;
static u8 area[4096] __attribute__((aligned(64)));
PIECE(p_op, "fninit; .globl at_op; at_op: fldl value(%rip); ud2");

static void handler(int signo, siginfo_t *si, void *ctx)
{
    ucontext_t *uc = ctx;
    u64 rip = uc->uc_mcontext.fpregs->rip, rdp = uc->uc_mcontext.fpregs->rdp;
    t_say("context: %s %s\n", rip == (u64)at_op ? "right" : rip ? "wrong" : "zero",
          rdp == (u64)&value ? "right" : rdp ? "wrong" : "zero");
    uc->uc_mcontext.gregs[REG_RIP] += 2;
}

int main(void)
{
    t_handle(SIGILL, handler, 0);
    struct regs r = regs_fresh();
    x86_call(p_op, &r);
    __asm__ volatile("xsave64 %0" : "+m"(area) : "a"(3), "d"(0));
    u64 rip = *(u64 *)(area + 8);
    printf("later: %s\n", rip == (u64)at_op ? "right" : rip ? "wrong" : "zero");
    return DONE();
}
