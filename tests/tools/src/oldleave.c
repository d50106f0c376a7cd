/* oldleave.c: threads that wait in calls of 32-bit programs, by int 0x80: read, nanosleep, a poll without end, sigsuspend. Each tells
 * what its call gave, and whether the registers that a call leaves alone are as they were. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { OLD_READ = 3, OLD_SIGSUSPEND = 72, OLD_NANOSLEEP = 162, OLD_POLL = 168, N = 4 };
static unsigned char *low;                       /* below 4 GB: one page for each */
static int pipes[2][2];
static volatile int handled;
static int failed;

/* rcx and r11 too: unlike `syscall`, the interrupt keeps them. */
static long call(long nr, long b, long c, long d)
{
    long r, count = c, kept = 0x1234567;
    register long r11 __asm__("r11") = 0x7654321;
    __asm__ volatile("int $0x80" : "=a"(r), "+c"(count), "+r"(kept), "+r"(r11) : "a"(nr), "b"(b), "d"(d) : "memory", "r8", "r9", "r10");
    if (count != c || kept != 0x1234567)
        __atomic_store_n(&failed, 1, __ATOMIC_RELAXED);
    return r;
}

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void handler(int sig) { handled++; }

static void *reads(void *p)
{
    long n = call(OLD_READ, pipes[0][0], (long)p, 8);
    printf("read: %ld %.*s\n", n, (int)n, (char *)p);
    return NULL;
}

static void *sleeps(void *p)
{
    unsigned *t = p;
    long from = now_ms();
    t[0] = 2, t[1] = 0;
    long r = call(OLD_NANOSLEEP, (long)t, 0, 0), took = now_ms() - from;
    printf("slept: %ld, %s\n", r, took < 1999 ? "too short" : "long enough");
    return NULL;
}

static void *polls(void *p)
{
    struct { int fd; short events, revents; } *f = p;
    f->fd = pipes[1][0], f->events = 1;
    long n = call(OLD_POLL, (long)f, 1, -1);
    printf("poll: %ld %d\n", n, f->revents);
    return NULL;
}

/* The mask lets SIGUSR1 through, which is blocked otherwise. */
static void *suspends(void *p)
{
    long r = call(OLD_SIGSUSPEND, 0, 0, (long)(unsigned)~(1u << (SIGUSR1 - 1)));
    printf("sigsuspend: %ld, handled %d\n", r, handled);
    return NULL;
}

int main(void)
{
    static void *(*const what[N])(void *) = { reads, sleeps, polls, suspends };
    pthread_t t[N];
    sigset_t set;
    char word[16];
    low = mmap(NULL, N * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pipe(pipes[0]) || pipe(pipes[1]))
        return 1;
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, what[i], low + i * 4096);
    printf("ready\n");
    while (fgets(word, sizeof word, stdin)) {
        int i = word[0] - '0';
        if (i == 0 && write(pipes[0][1], "eight by", 8) != 8)
            return 1;
        if (i == 2 && write(pipes[1][1], "x", 1) != 1)
            return 1;
        if (i == 3)
            pthread_kill(t[3], SIGUSR1);
        pthread_join(t[i], NULL);
    }
    printf("%s\n", failed ? "registers changed" : "end");
    return failed;
}
