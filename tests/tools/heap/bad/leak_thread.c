/* error: leak */
#include <pthread.h>
#include <stdlib.h>
static void *run(void *v)
{
    char *volatile p = malloc(77); /* BUG */
    p[0] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
}
