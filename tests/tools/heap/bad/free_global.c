/* error: bad-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int g[4];
int main(void)
{
    int *volatile p = g;
    free(p); /* BUG */
}
