/* phases with a barrier */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_barrier_t b;
static int x[2];
static void *run(void *v)
{
    for (int i = 0; i < 50; i++) {
        x[(long)v]++;
        pthread_barrier_wait(&b);
        if (x[0] != x[1])
            abort();
        pthread_barrier_wait(&b);
    }
    return NULL;
}
__attribute__((constructor)) static void prepare(void) { pthread_barrier_init(&b, NULL, 2); }

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
