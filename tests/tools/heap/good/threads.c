/* threads that allocate and free, each its own and each other's */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

static void *run(void *v)
{
    void *last = v;
    for (int i = 1; i < 2000; i++) {
        char *p = malloc(i % 300 + 1);
        p[i % 300] = 1;
        free(last);
        last = p;
    }
    return last;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, run, malloc(10));
    for (int i = 0; i < 4; i++) {
        void *p;
        pthread_join(t[i], &p);
        free(p);
    }
}
