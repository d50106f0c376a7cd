/* an array used to its last element */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *a = malloc(10 * sizeof *a), s = 0;
    for (int i = 0; i < 10; i++)
        a[i] = i;
    for (int i = 0; i < 10; i++)
        s += a[i];
    free(a);
    return s != 45;
}
