/* The second signal after SA_RESETHAND kills.
 * test-ends: killed by SIGUSR1 */
#include "t.h"

static void once(int signo, siginfo_t *si, void *ctx) { t_say("once\n"); }

int main(void)
{
    t_handle(SIGUSR1, once, SA_RESETHAND);
    raise(SIGUSR1);
    raise(SIGUSR1);
    return DONE();
}
