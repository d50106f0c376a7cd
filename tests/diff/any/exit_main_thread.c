/* The main thread leaves by pthread_exit; the others go on and the last one ends the process with status 0. */
#include "t.h"

static pthread_t first;
static void *body(void *arg)
{
    void *ret;
    CHECK(pthread_join(first, &ret) == 0);
    printf("main gave %ld\n", (long)ret);
    DONE();
    return NULL;
}

int main(void)
{
    pthread_t t;
    first = pthread_self();
    CHECK(pthread_create(&t, NULL, body, NULL) == 0);
    pthread_exit((void *)55);
}
