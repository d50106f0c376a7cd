/* many readers of what main wrote before */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static int table[100];
static void *run(void *v)
{
    long s = 0;
    for (int i = 0; i < 100; i++)
        s += table[i];
    return (void *)s;
}
__attribute__((constructor)) static void prepare(void)
{
    for (int i = 0; i < 100; i++)
        table[i] = i;
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
