/* siglongjmp out of handlers, many times, with and without the mask restored. */
#include "t.h"

static sigjmp_buf back;
static void handler(int signo, siginfo_t *si, void *ctx) { siglongjmp(back, signo); }

int main(void)
{
    t_handle(SIGSEGV, handler, 0);
    t_handle(SIGUSR1, handler, 0);
    volatile int sum = 0;
    for (volatile int i = 0; i < 500; i++) {
        int r = sigsetjmp(back, 1);
        if (r == 0) {
            if (i & 1)
                raise(SIGUSR1);
            *(volatile int *)8 = i;
        }
        sum += r;
    }
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("%d blocked %d %d\n", sum, sigismember(&now, SIGSEGV), sigismember(&now, SIGUSR1));
    if (sigsetjmp(back, 0) == 0)
        raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("without mask: blocked %d\n", sigismember(&now, SIGUSR1));
    return DONE();
}
