/* The signal frame: alignment of the handler's stack, the red zone skipped, uc_mcontext of an asynchronous signal
 * points into the program's own code, uc_sigmask, and sigreturn with a changed mask. */
#include "t.h"

extern char __executable_start, etext;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    ucontext_t *uc = ctx;
    u64 frame = (u64)__builtin_frame_address(0), rsp = (u64)uc->uc_mcontext.gregs[REG_RSP];
    t_say("aligned %d below %d mask %d link %d\n", (int)((frame & 15) == 0), frame < rsp - 128,
          sigismember(&uc->uc_sigmask, SIGUSR2), uc->uc_link == NULL);
    sigaddset(&uc->uc_sigmask, SIGUSR2);
}

static void spin_handler(int signo, siginfo_t *si, void *ctx)
{
    u64 rip = (u64)((ucontext_t *)ctx)->uc_mcontext.gregs[REG_RIP];
    *(volatile int *)((u64)((ucontext_t *)ctx)->uc_mcontext.gregs[REG_RBX]) = rip > (u64)&__executable_start &&
        rip < (u64)&etext;
}

int main(void)
{
    t_handle(SIGUSR1, handler, 0);
    raise(SIGUSR1);
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("mask changed by the handler %d\n", sigismember(&now, SIGUSR2));
    t_handle(SIGALRM, spin_handler, 0);
    volatile int flag = -1;
    alarm(1);
    __asm__ volatile("1: cmpl $-1, (%0); je 1b" :: "b"(&flag) : "memory");
    printf("rip in the program %d\n", flag);
    return DONE();
}
