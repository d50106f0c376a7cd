/* takes_low.c: a program that wants low memory for itself, after it has run for a while. */
#include <stdio.h>
#include <sys/mman.h>

static volatile unsigned sink;
static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (i % 3)
            sink += i;
        else
            sink ^= i;
}

int main(void)
{
    char *at = (char *)0x7f000000ul;
    const size_t size = 0xe00000;
    work(100000);
    if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != at)
        return 1;
    work(100000);
    for (size_t i = 0; i < size; i += 8)
        if (*(long *)(at + i))
            return 2;
    work(100000);
    printf("%u\n", sink);
}
