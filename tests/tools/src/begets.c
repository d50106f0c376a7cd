/* begets.c: threads that do nothing but create threads, and processes, and wait for them. Ends with stdin. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int n_bad, is_over;
static atomic_ulong n_made;

static void *empty(void *arg) { return arg; }

static void *makes_threads(void *arg)
{
    while (!is_over) {
        pthread_t t;
        void *r = NULL;
        if (pthread_create(&t, NULL, empty, &t) || pthread_join(t, &r) || r != &t)
            n_bad++;
        n_made++;
    }
    return NULL;
}

static void *makes_processes(void *arg)
{
    while (!is_over) {
        int status = 0;
        pid_t p = fork();
        if (p == 0)
            _exit(3);
        if (p < 0 || waitpid(p, &status, 0) != p || WEXITSTATUS(status) != 3)
            n_bad++;
        n_made++;
    }
    return NULL;
}

int main(void)
{
    enum { N = 6 };
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, i % 3 ? makes_threads : makes_processes, NULL);
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    is_over = 1;
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    puts(n_bad || !n_made ? "bad" : "all born");
    return n_bad != 0;
}
