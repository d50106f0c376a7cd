/* A static-PIE program with a thread.
 * test-build: -static-pie -fPIE
 * test-schemes: exec */
#include "t.h"

static __thread int tls = 3;
static void *body(void *arg) { return (void *)(long)(tls + 4); }

int main(void)
{
    pthread_t t;
    void *ret;
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, &ret);
    printf("%ld\n", (long)ret);
    return DONE();
}
