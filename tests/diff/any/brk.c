/* brk and sbrk: growing, shrinking, contents, page-exact ends, failure when too much is asked. */
#include "t.h"
#include <sys/resource.h>

int main(void)
{
    static char buffer[4096];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);      /* stdio must not use malloc, which uses brk */
    char *begin = sbrk(0);
    char *a = sbrk(100000);
    printf("%d\n", a == begin);
    memset(a, 1, 100000);
    printf("%ld\n", (long)((char *)sbrk(0) - begin));
    printf("%ld\n", (long)((char *)sbrk(-50000) - begin));
    char *b = sbrk(50000);
    printf("%ld zero page %d\n", (long)(b - begin), b[49999] == 0 || b[49999] == 1);
    printf("brk %d\n", brk(begin));
    u64 raw = (u64)syscall(SYS_brk, 0);
    printf("raw %d, too much %d\n", raw == (u64)begin, (u64)syscall(SYS_brk, 0x7fffffff0000) == raw);
    for (int i = 0; i < 1000; i++)
        CHECK(sbrk(4096) != (void *)-1);
    memset(begin, 2, 1000 * 4096);
    printf("sum %d\n", begin[0] + begin[4095999]);
    return DONE();
}
