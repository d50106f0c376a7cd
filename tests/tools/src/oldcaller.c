/* oldcaller.c: system calls by int 0x80. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static long call(long nr, long b, long c, long d, long s, long di)
{
    long r;
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(b), "c"(c), "d"(d), "S"(s), "D"(di) : "memory", "r8", "r9", "r10", "r11");
    return r;
}

int main(void)
{
    umask(027);
    printf("%s\n", call(20, 1, 2, 3, 4, 5) == getppid() ? "parent" : "own");
    call(60, 077, 0, 0, 0, 0);
    printf("mask %o\n", umask(0));
    printf("none: %ld\n", call(1000, 0, 0, 0, 0, 0));
    return 0;
}
