/* fft.c LOG2N ROUNDS: radix-2 transform forth and back; strided access, a recursion that fans out. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex cplx;

static void transform(cplx *out, const cplx *in, int n, int stride, const cplx *roots, int sign)
{
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    int h = n / 2;
    transform(out, in, h, stride * 2, roots, sign);
    transform(out + h, in + stride, h, stride * 2, roots, sign);
    for (int i = 0; i < h; i++) {
        cplx w = roots[i * stride];
        double wr = creal(w), wi = sign * cimag(w), br = creal(out[i + h]), bi = cimag(out[i + h]);
        cplx t = (wr * br - wi * bi) + I * (wr * bi + wi * br);
        out[i + h] = out[i] - t;
        out[i] += t;
    }
}

int main(int argc, char **argv)
{
    int n = 1 << (argc > 1 ? atoi(argv[1]) : 12), rounds = argc > 2 ? atoi(argv[2]) : 1;
    cplx *a = malloc(sizeof *a * n), *b = malloc(sizeof *b * n), *roots = malloc(sizeof *roots * n);
    for (int i = 0; i < n; i++) {
        a[i] = (i % 101) * 0.01 + I * ((i % 37) * 0.02);
        roots[i] = cos(2 * M_PI * i / n) - I * sin(2 * M_PI * i / n);
    }
    for (int r = 0; r < rounds; r++) {
        transform(b, a, n, 1, roots, 1);
        transform(a, b, n, 1, roots, -1);
        for (int i = 0; i < n; i++)
            a[i] /= n;
    }
    printf("%.9g %.9g\n", creal(a[n / 3]), cimag(a[n / 5]));
    return 0;
}
