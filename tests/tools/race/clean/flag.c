/* A flag that is set and polled by atomic stores and loads of the weakest kind, which are ordinary moves. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int stop;

static void *waits(void *v)
{
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        usleep(100);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    usleep(2000);
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
    pthread_join(t, NULL);
    puts("done");
    return 0;
}
