/* oldwait.c: waits in calls of 32-bit programs: a read by int 0x80, until a byte comes; then a sleep of 0.2 s. */
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static long call(long nr, long b, long c, long d)
{
    long r;
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(b), "c"(c), "d"(d) : "memory", "r8", "r9", "r10", "r11");
    return r;
}

int main(void)
{
    unsigned *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    struct timespec from, to;
    printf("ready\n");
    fflush(stdout);
    long n = call(3, 0, (long)low, 1);
    printf("read %ld %c\n", n, (int)*(char *)low);
    fflush(stdout);
    low[0] = 0, low[1] = 200000000;
    clock_gettime(CLOCK_MONOTONIC, &from);
    long r = call(162, (long)low, 0, 0);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("slept %ld, %s\n", r, (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000 >= 199 ? "long enough" : "too short");
    return 7;
}
