/* error: unset-read */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = malloc(40);
    if (p[3] > 7) /* BUG */
        puts("large");
    free(p);
}
