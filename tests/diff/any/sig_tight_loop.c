/* A timer signal reaches a loop that makes no calls, and leaves by siglongjmp; then by a flag. */
#include "t.h"
#include <sys/time.h>

static sigjmp_buf back;
static volatile int flag;
static void jump(int signo, siginfo_t *si, void *ctx) { siglongjmp(back, 1); }
static void set(int signo, siginfo_t *si, void *ctx) { flag = 1; }

int main(void)
{
    struct itimerval it = {{0, 0}, {0, 10000}};
    t_handle(SIGALRM, jump, 0);
    for (volatile int i = 0; i < 5; i++)
        if (sigsetjmp(back, 1) == 0) {
            setitimer(ITIMER_REAL, &it, NULL);
            for (;;)
                __asm__ volatile("");
        }
    printf("jumped out\n");
    t_handle(SIGVTALRM, set, 0);
    for (int i = 0; i < 5; i++) {
        flag = 0;
        setitimer(ITIMER_VIRTUAL, &it, NULL);
        while (!flag)
            ;
    }
    printf("flag seen\n");
    return DONE();
}
