/* _exit of the main thread ends eight busy threads at once.
 * test-ends: exit status 4 */
#include "t.h"

static pthread_barrier_t barrier;
static void *spin(void *arg)
{
    volatile u64 x = 0;
    pthread_barrier_wait(&barrier);
    for (;;)
        x = x * 3 + 1;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 9);
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&t, NULL, spin, NULL) == 0);
    pthread_barrier_wait(&barrier);
    _exit(4);
}
