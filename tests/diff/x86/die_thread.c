/* A fault in a second thread, default action: the whole process dies by SIGSEGV.
 * test-ends: killed by SIGSEGV */
#include "t.h"

static void *body(void *arg)
{
    *(volatile int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    CHECK(pthread_create(&t, NULL, body, (void *)8) == 0);
    pthread_join(t, NULL);
    printf("not reached\n");
    return DONE();
}
