/* error: read-outside */
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } /* BUG */

int main(void)
{
    int *p = malloc(5 * sizeof *p);
    for (int i = 0; i < 5; i++)
        p[i] = 5 - i;
    qsort(p, 6, sizeof *p, compare); /* BUG2 */
    free(p);
}
