/* wave.c N STEPS: finite differences for a wave on a plane in single precision, with a damped border. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 10;
    float *now = calloc(n * n, sizeof *now), *before = calloc(n * n, sizeof *now), *after = calloc(n * n, sizeof *now);
    now[n / 2 * n + n / 2] = 100;
    for (int s = 0; s < steps; s++) {
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int i = y * n + x;
                float lap = now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i];
                float v = 2 * now[i] - before[i] + 0.2f * lap;
                after[i] = x < 8 || y < 8 || x > n - 9 || y > n - 9 ? v * 0.9f : v;
            }
        float *t = before;
        before = now;
        now = after;
        after = t;
    }
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        sum += now[i] * (i % 13);
    printf("%.6g\n", sum);
    return 0;
}
