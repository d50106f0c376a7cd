/* thread.c: a program with four threads, all alive at once, that allocate, write and add up. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t all_there;

static void *work(void *arg)
{
    pthread_barrier_wait(&all_there);
    size_t n = 1000 * ((size_t)arg + 1), sum = 0;
    size_t *a = malloc(n * sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] = i;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    free(a);
    return (void *)sum;
}

int main(void)
{
    pthread_t t[4];
    size_t total = 0;
    pthread_barrier_init(&all_there, NULL, 4);
    for (size_t i = 0; i < 4; i++)
        if (pthread_create(&t[i], NULL, work, (void *)i))
            return 1;
    for (size_t i = 0; i < 4; i++) {
        void *sum;
        pthread_join(t[i], &sum);
        total += (size_t)sum;
    }
    printf("%zu\n", total);
    return total != 14995000;
}
