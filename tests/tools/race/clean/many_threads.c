/* threads one after the other on the same stacks */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static void *run(void *v)
{
    volatile int local[100];
    for (int i = 0; i < 100; i++)
        local[i] = i;
    return NULL;
}
int main(void)
{
    for (int i = 0; i < 30; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
        pthread_join(t, NULL);
    }
}
