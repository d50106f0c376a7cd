/* attach_speed.c: for bench/attach.sh. For each line on stdin, the time that the same work takes, in milliseconds.
 * With an argument: that many threads that sleep, wait and compute, besides. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static void *idles(void *arg)
{
    long i = (long)arg;
    int ep = epoll_create1(0);
    struct epoll_event e;
    volatile unsigned long sum = 0;
    for (;;)
        switch (i % 4) {
        case 0: usleep(20000); break;
        case 1: epoll_wait(ep, &e, 1, -1); break;
        case 2: epoll_wait(ep, &e, 1, 1000); break;
        case 3:
            for (unsigned k = 0; k < 10000; k++)
                sum += k;
            usleep(50000);
        }
    return NULL;
}

/* Calls, indirect jumps, memory, floating point. */
static int compare(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : 1; }
static unsigned long work(void)
{
    enum { N = 20000 };
    static int v[N];
    unsigned long x = 1;
    double d = 0;
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < N; i++) {
            x = x * 6364136223846793005ul + 1442695040888963407ul;
            v[i] = (int)(x >> 40);
            d += 1.0 / (double)(v[i] + 1);
        }
        qsort(v, N, sizeof *v, compare);
        char *p = malloc((size_t)v[0] % 100 + 1);
        memset(p, round, 1);
        x += (unsigned long)*p;
        free(p);
    }
    return x + (d > 0);
}

int main(int argc, char **argv)
{
    char line[16];
    for (long i = 0; argc > 1 && i < atoi(argv[1]); i++) {
        pthread_t t;
        pthread_create(&t, NULL, idles, (void *)i);
    }
    work();
    while (fgets(line, sizeof line, stdin)) {
        struct timespec a, b;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        work();
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        printf("%.1f\n", (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6);
        fflush(stdout);
    }
    return 0;
}
