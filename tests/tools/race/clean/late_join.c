/* joined long after its end */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static int x;
static _Atomic int ended;
static void *run(void *v)
{
    x = 1;
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    usleep(100000);
    pthread_join(t, NULL);
    return x++ != 1;
}
