/* error: unset-read */
#include <stdlib.h>
int table[256];

int main(void)
{
    unsigned char *volatile p = malloc(4);
    p[0] = 1;
    volatile int n = table[p[2]]; /* BUG */
    free(p);
    return n;
}
