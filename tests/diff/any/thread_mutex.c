/* Mutexes of all kinds under contention, spin locks, read-write locks. */
#include "t.h"

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, checking;
static pthread_spinlock_t spin;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static long counter[4];

static void *body(void *arg)
{
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&plain);
        counter[0]++;
        pthread_mutex_unlock(&plain);
        pthread_mutex_lock(&recursive), pthread_mutex_lock(&recursive);
        counter[1]++;
        pthread_mutex_unlock(&recursive), pthread_mutex_unlock(&recursive);
        if (i % 10 == 0) {
            pthread_spin_lock(&spin);
            counter[2]++;
            pthread_spin_unlock(&spin);
            pthread_rwlock_wrlock(&rw);
            counter[3]++;
            pthread_rwlock_unlock(&rw);
        }
        pthread_rwlock_rdlock(&rw);
        CHECK(counter[3] >= 0);
        pthread_rwlock_unlock(&rw);
    }
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attr);
    pthread_spin_init(&spin, 0);
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, body, NULL) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("%ld %ld %ld %ld\n", counter[0], counter[1], counter[2], counter[3]);
    printf("%d ", pthread_mutex_lock(&checking));
    printf("%d ", pthread_mutex_lock(&checking));
    printf("%d\n", pthread_mutex_unlock(&checking));
    return DONE();
}
