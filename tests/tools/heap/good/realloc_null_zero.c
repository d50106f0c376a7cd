/* realloc of nothing and to nothing */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = realloc(NULL, 10);
    p[9] = 1;
    p = realloc(p, 0);
    free(p);
}
