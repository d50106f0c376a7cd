/* mandelbrot.c N: escape times on an N x N grid; a tight data-dependent scalar loop. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200;
    unsigned long sum = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double cr = 3.0 * x / n - 2.2, ci = 2.4 * y / n - 1.2, zr = 0, zi = 0;
            int k = 0;
            while (k < 200 && zr * zr + zi * zi < 4) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                k++;
            }
            sum = sum * 31 + k;
        }
    printf("%lu\n", sum);
    return 0;
}
