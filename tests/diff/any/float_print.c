/* Floating point and printf: double, float, long double, special values, math functions. */
#include "t.h"
#include <math.h>

int main(void)
{
    static const double v[] = {0, -0.0, 1, 0.1, 1e-5, 123456.789, 1e300, 5e-324, 2.5, 3.5, INFINITY, -INFINITY};
    for (unsigned i = 0; i < sizeof v / sizeof v[0]; i++) {
        double x = v[i];
        printf("%g %f %e %a %.17g %.0f %Lg %d\n", x, fabs(x) < 1e20 ? x : 0, x, x, x, x, (long double)x / 3,
               (int)isnan(x));
        printf("  %.15g %.15g %.15g %.15g %.15g %.15g\n", sqrt(fabs(x)), sin(x), exp(x / 1000), log(fabs(x) + 1),
               pow(fabs(x), 0.3),
               atan2(x, 2));
    }
    long double sum = 0;
    for (int i = 1; i < 5000; i++)
        sum += 1.0L / i;
    printf("%.20Lf %Lf %Lf\n", sum, sinl(sum), fmodl(sum * 1000, 7));
    float f = 0;
    for (int i = 0; i < 10000; i++)
        f += 0.1f;
    printf("%.9g %s\n", f, isnan(NAN) ? "nan" : "");
    return DONE();
}
