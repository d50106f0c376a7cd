/* error: read-freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(void)
{
    int *p = calloc(4, sizeof *p);
    free(p);
    sink = p[1]; /* BUG */
}
