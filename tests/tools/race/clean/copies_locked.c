/* Copies of shared memory under a lock; copies of neighbouring parts without one. */
#include <pthread.h>
#include <string.h>
static char shared[256], parts[2][128];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long n = 200, half = 128;
static void *work(void *v)
{
    char copy[256];
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        memset(shared, i, n);
        memmove(copy, shared, n);
        pthread_mutex_unlock(&lock);
        memcpy(parts[(long)v], copy, half);
    }
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return parts[0][0] != 19;
}
