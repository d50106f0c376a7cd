/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(void)
{
    int *a = calloc(10, sizeof *a);
    for (int i = 0; i <= 10; i++)
        sink += a[i]; /* BUG */
    free(a);
}
