/* Detached threads that end in any order while new ones start on their recycled stacks. */
#include "t.h"

static int done;
static void *body(void *arg)
{
    volatile char stack[20000];
    memset((void *)stack, (int)(long)arg, sizeof stack);
    if ((long)arg % 3 == 0)
        usleep(500);
    __atomic_add_fetch(&done, stack[19999] == (char)(long)arg, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (long i = 0; i < 500; i++) {
        pthread_t t;
        while (pthread_create(&t, &attr, body, (void *)i) != 0)
            usleep(1000);
        if (i % 50 == 49)
            while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < i - 10)
                usleep(500);
    }
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < 500)
        usleep(500);
    printf("%d\n", done);
    return DONE();
}
