/* main writes what it hands over, too late */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static int *volatile p;
static void *run(void *v)
{
    return (void *)(long)*(volatile int *)v; /* RACE */
}
int main(void)
{
    pthread_t t;
    int *x = malloc(sizeof *x);
    *x = 1;
    pthread_create(&t, NULL, run, x);
    *(volatile int *)x = 2; /* RACE */
    pthread_join(t, NULL);
    free(x);
}
