/* qsort and bsearch of a heap array */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    int *p = malloc(3000 * sizeof *p), key = 77;
    for (int i = 0; i < 3000; i++)
        p[i] = i * 7919 % 3001;
    qsort(p, 3000, sizeof *p, order);
    int *q = bsearch(&key, p, 3000, sizeof *p, order);
    int r = !q || *q != 77;
    free(p);
    return r;
}
