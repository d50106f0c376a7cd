/* Rounding modes and exception masks of SSE and x87 are each thread's own and survive signals and system calls. */
#include "t.h"
#include <fenv.h>

static volatile double one = 1, three = 3;
static void handler(int signo) { t_say("handler rounding %d\n", fegetround() == FE_UPWARD); fesetround(FE_TONEAREST); }
static void *body(void *arg)
{
    printf("thread starts with %d\n", fegetround() == FE_UPWARD);
    fesetround(FE_TOWARDZERO);
    printf("%.20g\n", one / three);
    return NULL;
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    fesetround(FE_UPWARD);
    printf("%.20g\n", one / three);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    printf("%d %.20g\n", fegetround() == FE_UPWARD, one / three);
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
    printf("%d %.20g\n", fegetround() == FE_UPWARD, one / three);
    return DONE();
}
