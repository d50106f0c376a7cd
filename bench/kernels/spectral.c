/* spectral.c N: largest singular value of an infinite matrix's corner; divisions, calls to a small function. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) double element(int i, int j)
{
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

static void times(int n, const double *v, double *out, int transposed)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += (transposed ? element(j, i) : element(i, j)) * v[j];
        out[i] = sum;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    double *u = malloc(sizeof *u * n), *v = malloc(sizeof *v * n), *t = malloc(sizeof *t * n), uv = 0, vv = 0;
    for (int i = 0; i < n; i++)
        u[i] = 1;
    for (int r = 0; r < 10; r++) {
        times(n, u, t, 0);
        times(n, t, v, 1);
        times(n, v, t, 0);
        times(n, t, u, 1);
    }
    for (int i = 0; i < n; i++) {
        uv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    printf("%.9f\n", sqrt(uv / vv));
    return 0;
}
