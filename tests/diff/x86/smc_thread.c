/* One thread patches code, others run it after a barrier: each sees the new code in every round.
 * test-schemes: yes */
#include "t.h"

static u8 *p;
static pthread_barrier_t barrier;
static int bad;
static void *body(void *arg)
{
    for (int i = 0; i < 300; i++) {
        pthread_barrier_wait(&barrier);
        if (((int (*)(void))p)() != i * 3)
            __atomic_add_fetch(&bad, 1, __ATOMIC_SEQ_CST);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(p, "\xb8\0\0\0\0\xc3", 6);
    pthread_barrier_init(&barrier, NULL, 4);
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&t[i], NULL, body, NULL) == 0);
    for (int i = 0; i < 300; i++) {
        *(int *)(p + 1) = i * 3;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("bad %d\n", bad);
    return DONE();
}
