/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = aligned_alloc(64, 128);
    p[128] = 1; /* BUG */
    free(p);
}
