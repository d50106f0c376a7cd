/* main looks before it joins */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static volatile int done;
static void *run(void *v)
{
    done = 1; /* RACE */
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    int r = done; /* RACE */
    pthread_join(t, NULL);
    return r > 1;
}
