/* A handler changes the context: skips the faulting instruction, sets registers, moves rip to another function.
 * The program goes on with exactly that state. */
#include "t.h"

static void skip(int signo, siginfo_t *si, void *ctx)
{
    greg_t *g = ((ucontext_t *)ctx)->uc_mcontext.gregs;
    g[REG_RIP] += 2;                        /* over the ud2 */
    g[REG_RAX] = 0x1111, g[REG_R15] = 0x2222, g[REG_RBX] += 5, g[REG_EFL] |= 1;
    ((ucontext_t *)ctx)->uc_mcontext.fpregs->_xmm[7].element[0] = 0x33;
}

static void elsewhere(void) { printf("elsewhere\n"); DONE(); exit(0); }
static void move(int signo, siginfo_t *si, void *ctx)
{
    greg_t *g = ((ucontext_t *)ctx)->uc_mcontext.gregs;
    g[REG_RIP] = (greg_t)elsewhere;
    g[REG_RSP] = (g[REG_RSP] & ~15ll) - 1032;
}

int main(void)
{
    t_handle(SIGILL, skip, 0);
    for (int i = 0; i < 3; i++) {
        u64 rax = 1, rbx = 2, r15 = 3, xmm = 0;
        u8 carry;
        __asm__ volatile("mov %5, %%r15; clc; ud2; setc %3; mov %%r15, %2; movq %%xmm7, %4"
                         : "+a"(rax), "+b"(rbx), "=&r"(r15), "=&q"(carry), "=&r"(xmm) : "r"(r15) : "r15", "xmm7", "cc");
        printf("%llx %llx %llx %d %x\n", (unsigned long long)rax, (unsigned long long)rbx, (unsigned long long)r15,
               carry, (u32)xmm);
    }
    t_handle(SIGSEGV, move, 0);
    fflush(stdout);
    *(volatile int *)0 = 1;
    printf("not reached\n");
    return 1;
}
