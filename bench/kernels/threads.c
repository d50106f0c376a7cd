/* threads.c THREADS ROUNDS: a fixed amount of work shared by THREADS threads: private integer work, a queue under a
 * mutex, an atomic counter. The sum does not depend on the schedule. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long next_job, n_jobs;
static atomic_ulong total;

static long take_job(void)
{
    pthread_mutex_lock(&lock);
    long job = next_job < n_jobs ? next_job++ : -1;
    pthread_mutex_unlock(&lock);
    return job;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static unsigned long work(long job)
{
    uint32_t v[1024], seed = job * 2654435761u + 1;
    for (int i = 0; i < 1024; i++)
        v[i] = seed = seed * 1664525 + 1013904223;
    qsort(v, 1024, sizeof *v, compare);
    unsigned long sum = 0;
    for (int i = 0; i < 1024; i++)
        sum = sum * 33 + v[i];
    return sum;
}

static void *worker(void *unused)
{
    for (long job; (job = take_job()) >= 0;)
        atomic_fetch_add(&total, work(job));
    return unused;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    n_jobs = argc > 2 ? atol(argv[2]) : 1000;
    pthread_t *t = calloc(n, sizeof *t);
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    printf("%lu\n", atomic_load(&total));
    return 0;
}
