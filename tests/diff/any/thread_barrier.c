/* Barriers keep threads in step over many rounds; pthread_once runs once; thread ids are unique. */
#include "t.h"

static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int rounds[6], onces, serial;
static pid_t tids[6];
static void run_once(void) { onces++; }
static void *body(void *arg)
{
    int id = (int)(long)arg;
    tids[id] = gettid();
    for (int i = 0; i < 300; i++) {
        pthread_once(&once, run_once);
        rounds[id] = i;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            __atomic_add_fetch(&serial, 1, __ATOMIC_SEQ_CST);
        for (int j = 0; j < 6; j++)
            CHECK(rounds[j] == i);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[6];
    pthread_barrier_init(&barrier, NULL, 6);
    for (long i = 0; i < 6; i++)
        CHECK(pthread_create(&t[i], NULL, body, (void *)i) == 0);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    int same = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            same += tids[i] == tids[j];
    printf("%d %d %d\n", onces, serial, same);
    return DONE();
}
