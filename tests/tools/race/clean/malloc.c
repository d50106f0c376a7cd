/* threads that allocate, fill and free */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static void *run(void *v)
{
    for (int i = 0; i < 300; i++) {
        int *p = malloc(1 + i * 7 % 500 * sizeof *p);
        for (int k = 0; k < i * 7 % 500; k++)
            p[k] = i;
        free(p);
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
