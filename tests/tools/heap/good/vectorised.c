/* loops that the compiler turns into vectors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((optimize("O3"))) static float sum(const float *p, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * p[i];
    return s;
}
int main(void)
{
    for (int n = 1; n < 70; n++) {
        float *p = malloc(n * sizeof *p);
        for (int i = 0; i < n; i++)
            p[i] = 1;
        if (sum(p, n) != n)
            return 1;
        free(p);
    }
}
