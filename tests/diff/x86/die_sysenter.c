/* sysenter where the CPU has none in 64-bit mode: SIGILL at its address.
 * test-needs: cpu:sse4a
 * test-ends: killed by SIGILL */
#include "t.h"

static void on_ill(int sig, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    printf("%d %d %d\n", sig, info->si_code, *(unsigned char *)u->uc_mcontext.gregs[REG_RIP]);
    fflush(stdout);
    signal(SIGILL, SIG_DFL);
}

int main(void)
{
    sigaction(SIGILL, &(struct sigaction){ .sa_sigaction = on_ill, .sa_flags = SA_SIGINFO }, NULL);
    __asm__ volatile("sysenter");
    return DONE();
}
