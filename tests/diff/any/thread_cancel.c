/* pthread_cancel of threads that block, compute with test points, or compute with asynchronous
 * cancellation; cleanups. */
#include "t.h"

static int cleaned;
static void cleanup(void *arg) { cleaned += (int)(long)arg; }
static pthread_barrier_t barrier;
static void *body(void *arg)
{
    int kind = (int)(long)arg;
    volatile u64 x = 0;
    pthread_cleanup_push(cleanup, (void *)(long)(kind + 1));
    if (kind == 2)
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_barrier_wait(&barrier);
    for (;;) {
        if (kind == 0)
            sleep(100);
        if (kind == 1)
            pthread_testcancel();
        x++;
    }
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    for (long kind = 0; kind < 3; kind++) {
        pthread_t t;
        void *ret;
        pthread_barrier_init(&barrier, NULL, 2);
        CHECK(pthread_create(&t, NULL, body, (void *)kind) == 0);
        pthread_barrier_wait(&barrier);
        CHECK(pthread_cancel(t) == 0);
        pthread_join(t, &ret);
        printf("%ld: %d cleaned %d\n", kind, ret == PTHREAD_CANCELED, cleaned);
    }
    return DONE();
}
