/* SS_AUTODISARM: the alternate stack is disarmed inside the handler and armed again after it. */
#include "t.h"

static char alt[65536];
static void handler(int signo, siginfo_t *si, void *ctx)
{
    stack_t now;
    sigaltstack(NULL, &now);
    t_say("inside flags %x\n", now.ss_flags);
}

int main(void)
{
    CHECK(sigaltstack(&(stack_t){.ss_sp = alt, .ss_size = sizeof alt, .ss_flags = (int)(1u << 31)}, NULL) == 0);
    t_handle(SIGUSR1, handler, SA_ONSTACK);
    raise(SIGUSR1);
    stack_t now;
    sigaltstack(NULL, &now);
    t_say("after flags %x base %d\n", now.ss_flags, now.ss_sp == alt);
    return DONE();
}
