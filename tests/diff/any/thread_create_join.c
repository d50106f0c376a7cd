/* A hundred threads created and joined in waves, each with an argument and a result.
 * test-schemes: exec */
#include "t.h"

static void *body(void *arg)
{
    u64 s = (u64)(long)arg + 1, x = 0;
    for (int i = 0; i < 1000; i++)
        x ^= t_random(&s);
    return (void *)x;
}

int main(void)
{
    u64 h = 0;
    for (int wave = 0; wave < 5; wave++) {
        pthread_t t[100];
        for (long i = 0; i < 100; i++)
            CHECK(pthread_create(&t[i], NULL, body, (void *)i) == 0);
        for (int i = 0; i < 100; i++) {
            void *ret;
            CHECK(pthread_join(t[i], &ret) == 0);
            h = h * 31 + (u64)ret;
        }
    }
    printf("%016llx\n", (unsigned long long)h);
    return DONE();
}
