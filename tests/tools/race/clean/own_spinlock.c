/* a spin lock of the program's own */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static atomic_int l;
static int x;
static void *run(void *v)
{
    for (int i = 0; i < 100; i++) {
        while (atomic_exchange(&l, 1))
            ;
        x++;
        atomic_store_explicit(&l, 0, memory_order_release);
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
