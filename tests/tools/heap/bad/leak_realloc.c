/* error: leak */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile p;
int main(void)
{
    p = malloc(50); /* BUG */
    p = NULL;
    p = realloc(p, 100);
}
