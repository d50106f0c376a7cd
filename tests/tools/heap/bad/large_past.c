/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(1 << 20);
    p[1 << 20] = 1; /* BUG */
    free(p);
}
