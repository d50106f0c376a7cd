/* a variable of main's frame */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static void *run(void *v)
{
    ++*(volatile int *)v; /* RACE */
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    volatile int x = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)&x);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return x > 2;
}
