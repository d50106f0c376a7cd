/* bound_state: eight registers that a loop of several traces never names keep their values, as a handler sees them: of a timer's
 * signal anywhere in the loop, and of a fault at its store in each hundredth round. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

extern char loop_lo[], loop_hi[];
static volatile long timers, faults, wrong;
static char page[4096] __attribute__((aligned(4096)));

static void look(const greg_t *g)
{
    static const int reg[8] = { REG_R8, REG_R9, REG_R10, REG_R12, REG_R13, REG_R14, REG_R15, REG_RBX };
    if ((char *)g[REG_RIP] < loop_lo || (char *)g[REG_RIP] >= loop_hi)
        return;
    for (int i = 0; i < 8; i++)
        wrong += g[reg[i]] != 0x1111111111111111 * (i + 1);
    wrong += g[REG_R11] != 0x77;
}
static void on_timer(int s, siginfo_t *i, void *uc) { timers++; look(((ucontext_t *)uc)->uc_mcontext.gregs); }
static void on_fault(int s, siginfo_t *i, void *uc)
{
    greg_t *g = ((ucontext_t *)uc)->uc_mcontext.gregs;
    faults++;
    wrong += i->si_addr != (void *)56;
    look(g);
    g[REG_RSI] = (greg_t)page;
}

static void run(long rounds)
{
    char *at = page + 64;
    __asm__ volatile(
        "push %%rbx; push %%rbp; mov %%rsi, %%rbp\n"
        "mov $0x1111111111111111, %%r8; lea (%%r8,%%r8), %%r9; lea (%%r9,%%r8), %%r10; lea (%%r10,%%r8), %%r12\n"
        "lea (%%r12,%%r8), %%r13; lea (%%r13,%%r8), %%r14; lea (%%r14,%%r8), %%r15; lea (%%r15,%%r8), %%rbx; mov $0x77, %%r11\n"
        ".globl loop_lo, loop_hi\nloop_lo: mov %%rcx, (%%rsi); add 8(%%rsi), %%rax; test $1, %%cl; jz 1f\n"
        "mov %%rax, 16(%%rsi); inc %%edx; mov %%rdx, 24(%%rsi); cmp %%eax, %%edx; jb 2f\n"
        "1: mov 32(%%rsi), %%rax; mov 40(%%rsi), %%rdx; test $2, %%cl; jz 2f; mov %%rdx, 48(%%rsi); add %%rdx, %%rax\n"
        "2: mov %%rcx, %%rax; xor %%edx, %%edx; mov $100, %%edi; div %%rdi; test %%rdx, %%rdx; jnz 3f; xor %%esi, %%esi\n"
        "3: mov %%rax, 56(%%rsi)\n"
        "cmp %%rbp, %%rsi; jne 4f\n"
        "4: dec %%rcx; jnz loop_lo\nloop_hi: pop %%rbp; pop %%rbx"
        : "+c"(rounds), "+S"(at) : : "rax", "rdx", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
}

int main(void)
{
    struct sigaction a = { .sa_sigaction = on_timer, .sa_flags = SA_SIGINFO };
    sigaction(SIGALRM, &a, NULL);
    a.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &a, NULL);
    struct itimerval t = { { 0, 1000 }, { 0, 1000 } };
    setitimer(ITIMER_REAL, &t, NULL);
    while (timers < 100)
        run(20000);
    printf("%s, %s\n", wrong ? "WRONG" : "right", faults % 200 ? "FAULTS LOST" : "all faults");
}
