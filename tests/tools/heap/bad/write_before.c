/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    long *a = malloc(80);
    a[-1] = 5; /* BUG */
    free(a);
}
