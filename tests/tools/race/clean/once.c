/* pthread_once */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_once_t o = PTHREAD_ONCE_INIT;
static int *p;
static void init(void) { p = calloc(1, sizeof *p); }
static void *run(void *v)
{
    pthread_once(&o, init);
    return (void *)(long)*p;
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
