/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(void)
{
    char *a = calloc(1, 7);
    sink = a[-1]; /* BUG */
    free(a);
}
