/* a block known to main only, at exit */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *volatile p = malloc(100);
    p[0] = 1;
    exit(p[0] - 1);
}
