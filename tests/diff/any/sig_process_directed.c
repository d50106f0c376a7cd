/* A process-directed signal is taken by the one thread that does not block it. */
#include "t.h"

static __thread int me;
static volatile int taken[3];
static pthread_barrier_t barrier;
static volatile int stop;
static void handler(int signo, siginfo_t *si, void *ctx) { __atomic_add_fetch(&taken[me], 1, __ATOMIC_SEQ_CST); }
static void *body(void *arg)
{
    me = (int)(long)arg;
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGUSR1);
    pthread_sigmask(me == 2 ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
    pthread_barrier_wait(&barrier);
    while (!stop)
        sched_yield();
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    t_handle(SIGUSR1, handler, 0);
    pthread_barrier_init(&barrier, NULL, 3);
    for (long i = 1; i < 3; i++)
        CHECK(pthread_create(&t[i], NULL, body, (void *)i) == 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 30; i++) {
        kill(getpid(), SIGUSR1);
        while (taken[2] <= i)
            sched_yield();
    }
    stop = 1;
    pthread_join(t[1], NULL), pthread_join(t[2], NULL);
    printf("%d %d %d\n", taken[0], taken[1], taken[2]);
    return DONE();
}
