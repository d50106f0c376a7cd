/* locks: known numbers of locks taken: a mutex 300 times by each of two threads; one that main has until the other thread waits for
 * it; two taken in both orders; a condition; a read-write lock and a spin lock. */
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t counted = PTHREAD_MUTEX_INITIALIZER, wanted = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER, with_cond = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int n, ready;

static void count(void)
{
    for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&counted);
        n++;
        pthread_mutex_unlock(&counted);
    }
}

static void *other(void *v)
{
    count();
    pthread_mutex_lock(&wanted);
    pthread_mutex_unlock(&wanted);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&with_cond);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&with_cond);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&spin, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&wanted);
    pthread_create(&t, NULL, other, NULL);
    count();
    while (wanted.__data.__lock != 2)           /* glibc: taken, and somebody waits */
        sched_yield();
    pthread_mutex_unlock(&wanted);
    pthread_mutex_lock(&with_cond);
    while (!ready)
        pthread_cond_wait(&cond, &with_cond);
    pthread_mutex_unlock(&with_cond);
    pthread_join(t, NULL);
    for (int i = 0; i < 7; i++) {
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_unlock(&rw);
        pthread_spin_lock(&spin);
        pthread_spin_unlock(&spin);
    }
    return n != 600;
}
