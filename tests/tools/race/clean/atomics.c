/* atomic counters and a flag */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static atomic_int n, flag;
static int data;
static void *run(void *v)
{
    for (int i = 0; i < 100; i++)
        n++;
    if (v) {
        data = 7;
        atomic_store(&flag, 1);
    } else {
        while (!atomic_load(&flag))
            ;
        data++;
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
