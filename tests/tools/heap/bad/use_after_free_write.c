/* error: write-freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = calloc(4, sizeof *p);
    free(p);
    p[1] = 4; /* BUG */
}
