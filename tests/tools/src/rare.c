/* rare.c: for rarely.cpp: a function to jump out of, system calls, a thread that waits, a child. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* With an effect, so that the compiler leaves the calls where they are. */
#define FUNCTION __attribute__((noinline, noclone))
#define BARRIER __asm__ volatile("nop" : : : "memory")
volatile int go_on, value;
FUNCTION int skipped(int x) { BARRIER; return x + 1; }
FUNCTION int stopper(int x) { BARRIER; return x + 2; }
FUNCTION int replayed(int x) { BARRIER; return x + 3; }
FUNCTION int broken(int x) { BARRIER; return x + 4; }

static void *spin(void *p)
{
    while (!go_on)
        value++;
    return p;
}

int main(void)
{
    pthread_t t;
    char buf[8] = "";
    int fd[2];
    pthread_create(&t, 0, spin, 0);
    while (!value)
        ;
    int a = skipped(1), b = stopper(1), c = replayed(1), d = broken(1);
    go_on = 1;
    pthread_join(t, 0);
    if (pipe(fd) || write(fd[1], "abcdef", 6) != 6)
        return 1;
    long n = read(fd[0], buf, 6);               /* the tool makes it three */
    fflush(stdout);
    if (!fork()) {
        execl("/bin/echo", "echo", "from", "child", (char *)0);
        _exit(1);
    }
    wait(0);
    printf("%d %d %d %d read %ld %s\n", a, b, c, d, n, buf);
    return 0;
}
