/* error: read-outside */
#include <stdlib.h>

int main(void)
{
    volatile size_t many = (size_t)1 << 33, each = (size_t)1 << 31;
    char *p = calloc(many, each);       /* their product is 2 to the 64: calloc refuses, malloc of it would not */
    if (p)
        return 1;
    volatile short *q = calloc(3, 2);
    short n = q[3]; /* BUG */
    free((void *)q);
    return n & 0;
}
