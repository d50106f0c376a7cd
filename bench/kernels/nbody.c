/* nbody.c STEPS: gravitation among five bodies; scalar double arithmetic, square roots, short loops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 5 };
struct body { double x[3], v[3], m; };

static struct body bodies[N] = {
    { { 0, 0, 0 }, { 0, 0, 0 }, 39.5 },
    { { 4.8, -1.2, -0.1 }, { 0.6, 2.8, -0.02 }, 0.038 },
    { { 8.3, 4.1, -0.4 }, { -1.0, 1.8, 0.008 }, 0.011 },
    { { 12.9, -15.1, -0.2 }, { 1.08, 0.87, -0.01 }, 0.0017 },
    { { 15.4, -25.9, 0.2 }, { 0.98, 0.59, -0.03 }, 0.002 },
};

static void step(double dt)
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = bodies[i].x[k] - bodies[j].x[k];
                r2 += d[k] * d[k];
            }
            double f = dt / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) {
                bodies[i].v[k] -= d[k] * bodies[j].m * f;
                bodies[j].v[k] += d[k] * bodies[i].m * f;
            }
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].x[k] += dt * bodies[i].v[k];
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 1000;
    for (long i = 0; i < steps; i++)
        step(0.001);
    for (int i = 0; i < N; i++)
        printf("%.12g %.12g %.12g\n", bodies[i].x[0], bodies[i].x[1], bodies[i].x[2]);
    return 0;
}
