/* Each thread has its own alternate stack, and survives its own stack overflows by it. */
#include "t.h"

static __thread sigjmp_buf back;
static __thread char *alt;
static int good;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    char here;
    if (&here >= alt && &here < alt + 65536)
        __atomic_add_fetch(&good, 1, __ATOMIC_SEQ_CST);
    siglongjmp(back, 1);
}
static int __attribute__((noinline)) deeper(volatile int n)
{
    volatile char room[4096];
    room[n & 4095] = (char)n;
    return deeper(n + 1) + room[n & 4095];
}
static void *body(void *arg)
{
    alt = malloc(65536);
    CHECK(sigaltstack(&(stack_t){.ss_sp = alt, .ss_size = 65536}, NULL) == 0);
    for (volatile int i = 0; i < 3; i++)
        if (sigsetjmp(back, 1) == 0)
            deeper(0);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 131072);
    t_handle(SIGSEGV, handler, SA_ONSTACK);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], &attr, body, NULL) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", good);
    return DONE();
}
