/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    double *m = calloc(3 * 4, sizeof *m);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4 + argc; j++)
            m[i * 4 + j] = 1; /* BUG */
    free(m);
}
