/* threads.c: eight threads, one after the other and together, with a little work. */
#include <pthread.h>
#include <stdio.h>

static void *work(void *p)
{
    volatile long sum = 0;
    for (long i = 0; i < 10000 * (long)p; i++)
        sum += i;
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (long i = 1; i <= 4; i++) {
        pthread_create(&t[0], NULL, work, (void *)i);
        pthread_join(t[0], NULL);
    }
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    for (long i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    puts("done");
    return 3;
}
