/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

static void *run(void *p)
{
    ((int *)p)[4] = 1; /* BUG */
    return NULL;
}
int main(void)
{
    pthread_t t;
    int *p = malloc(16);
    pthread_create(&t, NULL, run, p);
    pthread_join(t, NULL);
    free(p);
}
