/* a block known to another thread only */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static void *run(void *v)
{
    char *volatile p = malloc(100);
    p[0] = 1;
    sem_post(v);
    pause();
    return p;
}
int main(void)
{
    pthread_t t;
    static sem_t ready;
    pthread_create(&t, NULL, run, &ready);
    sem_wait(&ready);
}
