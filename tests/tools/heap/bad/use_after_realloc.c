/* error: write-freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(10), *q = p;
    p = realloc(p, 1000);
    q[0] = 1; /* BUG */
    free(p);
}
