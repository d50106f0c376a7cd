/* spin_app.c: eight threads, each with the same amount of work. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, ROUNDS = 300000 };

static void *work(void *arg)
{
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++)
        sum += i % 3 ? i : sum >> 3;
    return (void *)(unsigned long)sum;
}

int main(void)
{
    pthread_t t[THREADS];
    unsigned long all = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) {
        void *sum;
        pthread_join(t[i], &sum);
        all += (unsigned long)sum;
    }
    printf("%lu\n", all);
    return 0;
}
