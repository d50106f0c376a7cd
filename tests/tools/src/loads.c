/* loads.c: loads a library twice, calls into it, allocates and frees. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) long twice(long a, long b, long c, long d, long e, long f, long g, long h)
{
    return 2 * (a + b + c + d + e + f + g + h);
}
__attribute__((noinline)) double half(double x) { return x / 2; }
__attribute__((noinline)) long fact(long n) { return n < 2 ? 1 : n * fact(n - 1); }

int main(void)
{
    for (int i = 0; i < 2; i++) {
        void *h = dlopen("libm.so.6", RTLD_NOW);
        double (*f)(double) = dlsym(h, "floor");
        printf("%g\n", f(2.5));
        dlclose(h);
    }
    void *volatile p = malloc(1234);
    free(p);
    printf("%ld %g %ld\n", twice(1, 2, 3, 4, 5, 6, 7, 8), half(5.0), fact(10));
    return 0;
}
