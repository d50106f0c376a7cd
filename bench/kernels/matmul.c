/* matmul.c N ROUNDS: blocked matrix product; regular memory access, vectorised inner loop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 32 };

static void multiply(int n, const double *a, const double *b, double *c)
{
    memset(c, 0, sizeof(double) * n * n);
    for (int i0 = 0; i0 < n; i0 += TILE)
        for (int k0 = 0; k0 < n; k0 += TILE)
            for (int i = i0; i < i0 + TILE && i < n; i++)
                for (int k = k0; k < k0 + TILE && k < n; k++) {
                    double f = a[i * n + k];
                    for (int j = 0; j < n; j++)
                        c[i * n + j] += f * b[k * n + j];
                }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256, rounds = argc > 2 ? atoi(argv[2]) : 1;
    double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n * n), *c = malloc(sizeof(double) * n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = (i % 17) * 0.25 - 2;
        b[i] = (i % 23) * 0.125 - 1;
    }
    for (int r = 0; r < rounds; r++) {
        multiply(n, a, b, c);
        for (int i = 0; i < n * n; i++)
            a[i] = c[i] / n;
    }
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        sum += c[i] * (i % 7);
    printf("%.12g\n", sum);
    return 0;
}
