/* known.c: a program whose numbers are known beforehand: calls, recursion, loops, threads, memory, a jump out of calls, an early
 * end when asked for. Compiled without optimisation. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;
static jmp_buf out;

void leaf(long n) { sink += n; }

void nest(void)
{
    for (int i = 0; i < 50; i++)
        for (int k = 0; k < 100; k++)
            leaf(k);
}

long fib(long n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

void leave_by_jump(int depth)
{
    if (depth == 0)
        longjmp(out, 1);
    leave_by_jump(depth - 1);
}

void never_called(void) { puts("never"); }

void *work(void *arg)
{
    for (long i = 0; i < (long)arg; i++)
        leaf(i);
    return NULL;
}

void threads(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, (void *)(1000 * (i + 1)));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}

void memory(void)
{
    char *p = malloc(1000), *q = calloc(10, 30), *r = NULL;
    p = realloc(p, 5000);
    if (posix_memalign((void **)&r, 64, 640))
        abort();
    free(q);
    free(p);
}

int main(int argc, char **argv)
{
    nest();
    printf("%ld\n", fib(10));
    if (!setjmp(out))
        leave_by_jump(5);
    memory();
    if (argc > 1 && !strcmp(argv[1], "threads"))
        threads();
    if (argc > 1 && !strcmp(argv[1], "crash"))
        *(volatile char *)0 = 1;
    if (argc > 1 && !strcmp(argv[1], "fork")) {
        if (!fork()) {
            leaf(1);
            _exit(0);
        }
        wait(NULL);
    }
    if (argc > 1 && !strcmp(argv[1], "exec")) {
        fflush(stdout);
        execl("/bin/true", "true", NULL);
    }
    return 0;
}
