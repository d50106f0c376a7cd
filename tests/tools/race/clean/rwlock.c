/* a read-write lock */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *run(void *v)
{
    for (int i = 0; i < 100; i++) {
        int y;
        if (v && i % 10 == 0) {
            pthread_rwlock_wrlock(&l);
            x++;
        } else {
            pthread_rwlock_rdlock(&l);
            y = x;
        }
        pthread_rwlock_unlock(&l);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
