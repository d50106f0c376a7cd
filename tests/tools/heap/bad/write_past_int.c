/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *a = malloc(10 * sizeof *a);
    for (int i = 0; i <= 10; i++)
        a[i] = i; /* BUG */
    free(a);
}
