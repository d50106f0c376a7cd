/* A fault inside a handler of the same signal, which is blocked there: death by SIGSEGV, no second handler.
 * test-ends: killed by SIGSEGV */
#include "t.h"

static void handler(int signo, siginfo_t *si, void *ctx)
{
    t_say("handler for %d\n", signo);
    *(volatile int *)16 = 1;
}

int main(void)
{
    t_handle(SIGSEGV, handler, 0);
    *(volatile int *)0 = 1;
    return DONE();
}
