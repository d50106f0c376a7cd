/* a hand-over with a semaphore */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t s;
static int x;
static void *run(void *v)
{
    if (v) {
        x = 1;
        sem_post(&s);
    } else {
        sem_wait(&s);
        x++;
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
