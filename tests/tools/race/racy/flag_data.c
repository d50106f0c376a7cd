/* A flag says that data is there, but orders nothing: the data races. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int ready;
static volatile int data;

static void *makes(void *v)
{
    data = 7; /* RACE */
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, makes, NULL);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        usleep(100);
    int got = data; /* RACE */
    pthread_join(t, NULL);
    printf("%d\n", got);
    return 0;
}
