/* Default action of a stack overflow by endless recursion (SIGSEGV).
 * test-ends: killed by SIGSEGV */
#include "t.h"

static int __attribute__((noinline)) deeper(volatile int n)
{
    volatile char room[256];
    room[n & 255] = (char)n;
    return deeper(n + 1) + room[n & 255];
}

int main(void)
{
    printf("before\n");
    fflush(stdout);
    return deeper(0);
}
