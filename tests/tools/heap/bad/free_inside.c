/* error: bad-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *volatile p = malloc(10);
    free(p + 1); /* BUG */
    free(p);
}
