/* a word written byte by byte */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char *p = malloc(8);
    for (int i = 0; i < 8; i++)
        p[i] = i;
    int r = *(unsigned long *)p == 0 ? 1 : 0;
    free(p);
    return r;
}
