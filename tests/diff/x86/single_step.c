/* The trap flag: SIGTRAP after each instruction until the handler clears it; addresses as natively. */
#include "x86.h"

static u64 begin;
static int steps;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    greg_t *g = ((ucontext_t *)ctx)->uc_mcontext.gregs;
    t_say("step %d at %lld code %d trapno %lld\n", steps, (long long)((u64)g[REG_RIP] - begin), si->si_code,
          (long long)g[REG_TRAPNO]);
    if (++steps == 8)
        g[REG_EFL] &= ~0x100ll;
}
PIECE(p_steps, "pushfq; orq $0x100, (%rsp); popfq; mov $1, %eax; add $2, %eax; nop; push %rax; pop %rbx;"
               " mov $3, %ecx; 1: dec %ecx; jnz 1b;"
               "nop; nop; nop");

int main(void)
{
    t_handle(SIGTRAP, handler, 0);
    begin = (u64)p_steps;
    setvbuf(stdout, NULL, _IONBF, 0);
    regs_try("steps", p_steps);
    return DONE();
}
