/* sigaltstack: the handler runs there and sees SS_ONSTACK, changes are refused inside, stack overflow is survived. */
#include "t.h"

static char alt[65536];
static sigjmp_buf back;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    char here;
    stack_t now;
    sigaltstack(NULL, &now);
    int r = sigaltstack(&(stack_t){.ss_sp = alt, .ss_size = sizeof alt}, NULL);
    t_say("on alternate %d flags %d change %d errno %d uc_stack %d\n", &here >= alt && &here < alt + sizeof alt,
          now.ss_flags,
          r, errno, ((ucontext_t *)ctx)->uc_stack.ss_sp == alt);
    if (signo == SIGSEGV)
        siglongjmp(back, 1);
}

static int __attribute__((noinline)) deeper(volatile int n)
{
    volatile char room[4096];
    room[n & 4095] = (char)n;
    return deeper(n + 1) + room[n & 4095];
}

int main(void)
{
    stack_t old;
    CHECK(sigaltstack(NULL, &old) == 0);
    t_say("at first %d\n", old.ss_flags);
    t_handle(SIGUSR1, handler, 0);
    raise(SIGUSR1);
    CHECK(sigaltstack(&(stack_t){.ss_sp = alt, .ss_size = sizeof alt}, NULL) == 0);
    raise(SIGUSR1);
    t_handle(SIGUSR1, handler, SA_ONSTACK);
    raise(SIGUSR1);
    t_handle(SIGSEGV, handler, SA_ONSTACK);
    for (volatile int i = 0; i < 3; i++)
        if (sigsetjmp(back, 1) == 0)
            deeper(0);
    t_say("too small %d\n", sigaltstack(&(stack_t){.ss_sp = alt, .ss_size = 100}, NULL) < 0 ? errno : 0);
    CHECK(sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL) == 0);
    raise(SIGUSR1);
    return DONE();
}
