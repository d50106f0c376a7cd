/* every way to ask for aligned memory, of every size up to some: all of it may be used, and all of it is freed */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void use(void *p, size_t align, size_t n)
{
    if (!p || (uintptr_t)p % align)
        puts("not aligned");
    memset(p, 1, n);
    free(p);
}

int main(void)
{
    for (size_t align = 16; align <= 8192; align *= 2)
        for (size_t n = 1; n < 300; n += 37) {
            void *p = NULL;
            use(aligned_alloc(align, n * align), align, n * align);
            use(memalign(align, n), align, n);
            if (posix_memalign(&p, align, n))
                puts("refused");
            use(p, align, n);
        }
    use(valloc(10), 4096, 10);
    use(pvalloc(10), 4096, 4096);
    if (calloc((size_t)1 << 33, (size_t)1 << 31) || reallocarray(NULL, (size_t)1 << 33, (size_t)1 << 31))
        puts("too much");
}
