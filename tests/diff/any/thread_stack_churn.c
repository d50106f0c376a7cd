/* Threads that map, use and unmap their own stacks: nothing remembers what was at an address before. */
#include "t.h"

static void *body(void *arg)
{
    volatile char *p = __builtin_alloca(30000);
    memset((void *)p, 7, 30000);
    return (void *)(long)p[29999];
}

int main(void)
{
    long sum = 0;
    for (int i = 0; i < 300; i++) {
        pthread_attr_t attr;
        pthread_attr_init(&attr);
        void *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(pthread_attr_setstack(&attr, stack, 65536) == 0);
        pthread_t t;
        void *ret;
        CHECK(pthread_create(&t, &attr, body, NULL) == 0);
        pthread_join(t, &ret);
        sum += (long)ret;
        munmap(stack, 65536);
    }
    printf("%ld\n", sum);
    return DONE();
}
