/* Thread-specific data with destructors, cancellation with a clean-up, detached threads that a semaphore waits for. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_key_t key;
static sem_t done;
static int result[3];
static int cleaned;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void destroy(void *p)
{
    int *n = p;
    n[0] = 0;
    free(p);
}
static void *detached(void *v)
{
    int *mine = malloc(40);
    mine[0] = (int)(long)v;
    pthread_setspecific(key, mine);
    result[mine[0]] = mine[0] * 10;
    sem_post(&done);
    return 0;
}
static void clean(void *v)
{
    pthread_mutex_lock(&m);
    cleaned++;
    pthread_mutex_unlock(&m);
}
static void *cancelled(void *v)
{
    pthread_cleanup_push(clean, 0);
    pause();
    pthread_cleanup_pop(1);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    sem_init(&done, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (long i = 0; i < 3; i++)
        pthread_create(&t, &attr, detached, (void *)i);
    for (int i = 0; i < 3; i++)
        sem_wait(&done);
    pthread_create(&t, 0, cancelled, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    printf("%d %d\n", result[0] + result[1] + result[2], cleaned >= 0);
}
