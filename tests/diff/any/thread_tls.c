/* Thread-local variables with and without initial value, errno, and TSD destructors are each thread's own. */
#include "t.h"

static __thread int zero, five = 5;
static __thread char buffer[300];
static pthread_key_t key;
static int destroyed;
static void destroy(void *p) { __atomic_add_fetch(&destroyed, (int)(long)p, __ATOMIC_SEQ_CST); }

static void *body(void *arg)
{
    int id = (int)(long)arg;
    CHECK(zero == 0 && five == 5 && buffer[0] == 0);
    pthread_setspecific(key, arg);
    for (int i = 0; i < 200; i++) {
        zero += id, five -= id;
        buffer[i] = (char)id;
        if (id & 1) {
            CHECK(close(-1) == -1 && errno == EBADF);
        } else {
            CHECK(open("/nonexistent/x", O_RDONLY) == -1 && errno == ENOENT);
        }
        sched_yield();
        CHECK(errno == (id & 1 ? EBADF : ENOENT));
    }
    return (void *)(long)(zero * 1000 + five + buffer[199]);
}

int main(void)
{
    pthread_t t[8];
    pthread_key_create(&key, destroy);
    for (long i = 0; i < 8; i++)
        CHECK(pthread_create(&t[i], NULL, body, (void *)(i + 1)) == 0);
    for (int i = 0; i < 8; i++) {
        void *ret;
        pthread_join(t[i], &ret);
        printf("%ld\n", (long)ret);
    }
    printf("%d %d %d\n", destroyed, zero, five);
    return DONE();
}
