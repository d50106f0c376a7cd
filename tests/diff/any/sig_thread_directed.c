/* pthread_kill and tgkill reach exactly the thread that they name, spinning or blocked; masks are per thread. */
#include "t.h"

static __thread int me;
static volatile int hits[4], stop;
static pthread_barrier_t barrier;
static void handler(int signo, siginfo_t *si, void *ctx) { __atomic_add_fetch(&hits[me], 1, __ATOMIC_SEQ_CST); }

static void *body(void *arg)
{
    me = (int)(long)arg;
    pthread_barrier_wait(&barrier);
    while (!stop)
        if (me & 1)
            usleep(1000);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    t_handle(SIGUSR1, handler, SA_RESTART);
    pthread_barrier_init(&barrier, NULL, 4);
    me = 0;
    for (long i = 1; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, body, (void *)i) == 0);
    pthread_barrier_wait(&barrier);
    for (int round = 0; round < 50; round++)
        for (int i = 1; i < 4; i++) {
            int before = hits[i];
            CHECK(pthread_kill(t[i], SIGUSR1) == 0);
            while (hits[i] == before)
                sched_yield();
        }
    stop = 1;
    for (int i = 1; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("%d %d %d %d\n", hits[0], hits[1], hits[2], hits[3]);
    return DONE();
}
