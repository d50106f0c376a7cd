/* error: unset-read */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = calloc(1, 8);
    p = realloc(p, 16);
    if (p[12]) /* BUG */
        puts("set");
    free(p);
}
