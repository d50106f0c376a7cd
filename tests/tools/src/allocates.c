/* allocates N: N blocks, one after the other; the tests look at how much more a larger N gives. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 0;
    for (long i = 0; i < n; i++) {
        char *volatile p = malloc(100 + (size_t)(i % 50));
        p[i % 50] = 1;
        free(p);
    }
    puts("done");
    for (int i = 0; argc > 2 && i < 3; i++) {
        void *lib = dlopen(argv[2], RTLD_NOW);
        double (*f)(double) = lib ? (double (*)(double))dlsym(lib, "cbrt") : 0;
        printf("%g\n", f ? f(27.0) : -1);
        if (lib)
            dlclose(lib);
    }
    return 0;
}
