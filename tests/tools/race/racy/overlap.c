/* a byte of a word that another thread writes */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static union { volatile long all; volatile char part[8]; } u;
static void *run(void *v)
{
    if (v)
        u.all = 1; /* RACE */
    else
        u.part[3] = 1; /* RACE */
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
