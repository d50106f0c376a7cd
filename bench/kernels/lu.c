/* lu.c N ROUNDS: LU decomposition with partial pivoting, then solve; long vector loops and branches on data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void decompose(int n, double *a, int *p)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
                best = i;
        p[k] = best;
        for (int j = 0; best != k && j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
}

static void solve(int n, const double *a, const int *p, double *b)
{
    for (int k = 0; k < n; k++) {
        double t = b[k];
        b[k] = b[p[k]];
        b[p[k]] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= a[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, rounds = argc > 2 ? atoi(argv[2]) : 1;
    double *a = malloc(sizeof *a * n * n), *b = malloc(sizeof *b * n), sum = 0;
    int *p = malloc(sizeof *p * n);
    unsigned seed = 1;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n * n; i++)
            a[i] = ((seed = seed * 1103515245 + 12345) >> 16 & 0x7fff) / 32768.0 - 0.5;
        for (int i = 0; i < n; i++)
            b[i] = i % 11;
        decompose(n, a, p);
        solve(n, a, p, b);
        for (int i = 0; i < n; i++)
            sum += fabs(b[i]);
    }
    printf("%.6g\n", sum);
    return 0;
}
