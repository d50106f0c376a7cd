/* error: double-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(10), *volatile q = p;
    free(p);
    free(q); /* BUG */
}
