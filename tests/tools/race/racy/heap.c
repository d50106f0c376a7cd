/* a block of the heap */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static int *p;
static void *run(void *v)
{
    p[1]++; /* RACE */
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    p = calloc(4, sizeof *p);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    free(p);
}
