/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(0);
    p[0] = 1; /* BUG */
    free(p);
}
