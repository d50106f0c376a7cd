/* Who had the lock last is kept in an atomic pointer that others compare with themselves, as interpreters do. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct me { long turns; };
static _Atomic(struct me *) last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *v)
{
    struct me *me = calloc(1, sizeof *me);
    for (int i = 0; i < 2000; i++) {
        pthread_mutex_lock(&lock);
        atomic_store_explicit(&last, me, memory_order_relaxed);
        pthread_mutex_unlock(&lock);
        if (atomic_load_explicit(&last, memory_order_relaxed) == me)
            me->turns++;
    }
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
