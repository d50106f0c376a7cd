/* A thousand threads alive at once.
 * test-modes: rotate */
#include "t.h"

static pthread_barrier_t barrier;
static int count;
static void *body(void *arg)
{
    pthread_barrier_wait(&barrier);
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    static pthread_t t[1000];
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 65536);
    pthread_barrier_init(&barrier, NULL, 1001);
    for (long i = 0; i < 1000; i++)
        CHECK(pthread_create(&t[i], &attr, body, (void *)i) == 0);
    pthread_barrier_wait(&barrier);
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
        void *ret;
        CHECK(pthread_join(t[i], &ret) == 0);
        sum += (long)ret;
    }
    printf("%d %ld\n", count, sum);
    return DONE();
}
