/* error: read-freed */
#include <stdlib.h>

int main(void)
{
    volatile int *old = reallocarray(NULL, 10, sizeof *old), *new;
    old[3] = 4;
    new = reallocarray((int *)old, 100000, sizeof *old);
    int n = old[3] + new[3]; /* BUG */
    free((int *)new);
    return n & 0;
}
