/* a block that grows */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = NULL;
    for (int i = 0; i < 5000; i++) {
        p = realloc(p, (i + 1) * sizeof *p);
        p[i] = i;
    }
    long s = 0;
    for (int i = 0; i < 5000; i++)
        s += p[i];
    free(p);
    return s != 12497500;
}
