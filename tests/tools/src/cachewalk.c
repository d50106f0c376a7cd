/* cachewalk: walks matrices both ways, hops about, and lets two threads write to one line in turn. */
#include <pthread.h>
#include <stdlib.h>
enum { N = 48, HOPS = 3000 };
static int m[N][N], hops[1 << 14];
static struct { volatile int a, b; } shared __attribute__((aligned(64)));
static pthread_barrier_t barrier;

static void *other(void *v)
{
    for (int i = 0; i < 200; i++) {
        pthread_barrier_wait(&barrier);
        shared.b++;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned sum = 0, at = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = i * j;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            sum += (unsigned)m[i][j];
    for (int i = 0; i < HOPS; i++) {
        at = at * 1664525 + 1013904223;
        hops[at >> 18] += i;
    }
    if (argc > 1) {
        pthread_t t;
        pthread_barrier_init(&barrier, NULL, 2);
        pthread_create(&t, NULL, other, NULL);
        for (int i = 0; i < 200; i++) {
            shared.a++;
            pthread_barrier_wait(&barrier);
            pthread_barrier_wait(&barrier);
        }
        pthread_join(t, NULL);
    }
    return sum == 0;
}
