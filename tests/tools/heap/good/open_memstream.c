/* a stream in memory */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p;
    size_t n;
    FILE *f = open_memstream(&p, &n);
    for (int i = 0; i < 1000; i++)
        fprintf(f, "%d ", i);
    fclose(f);
    int r = strlen(p) != n;
    free(p);
    return r;
}
