/* Producers and consumers with condition variables, timed waits, and semaphores. */
#include "t.h"
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t can_put = PTHREAD_COND_INITIALIZER, can_get = PTHREAD_COND_INITIALIZER;
static int queue[8], head, used;
static long sum;
static sem_t sem;

static void *produce(void *arg)
{
    for (int i = 1; i <= 3000; i++) {
        pthread_mutex_lock(&m);
        while (used == 8)
            pthread_cond_wait(&can_put, &m);
        queue[(head + used++) % 8] = i;
        pthread_cond_signal(&can_get);
        pthread_mutex_unlock(&m);
    }
    sem_post(&sem);
    return NULL;
}
static void *consume(void *arg)
{
    for (int i = 0; i < 3000; i++) {
        pthread_mutex_lock(&m);
        while (used == 0)
            pthread_cond_wait(&can_get, &m);
        sum += queue[head];
        head = (head + 1) % 8, used--;
        pthread_cond_signal(&can_put);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    sem_init(&sem, 0, 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, i & 1 ? produce : consume, NULL) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    sem_wait(&sem), sem_wait(&sem);
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    pthread_mutex_lock(&m);
    printf("%ld timed out %d\n", sum, pthread_cond_timedwait(&can_get, &m, &ts) == ETIMEDOUT);
    return DONE();
}
