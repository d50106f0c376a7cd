/* error: write-freed */
#include <stdlib.h>

int main(void)
{
    volatile long *p = aligned_alloc(4096, 8192);
    free((void *)p);
    p[512] = 3; /* BUG */
}
