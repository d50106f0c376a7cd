/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = malloc(40);
    p = realloc(p, 20);
    p[5] = 1; /* BUG */
    free(p);
}
