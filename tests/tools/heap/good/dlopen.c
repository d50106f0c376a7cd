/* a library loaded and unloaded */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>

int main(void)
{
    void *h = dlopen("libm.so.6", RTLD_NOW);
    double (*f)(double) = h ? (double (*)(double))dlsym(h, "sqrt") : NULL;
    int r = !f || f(4) != 2;
    if (h)
        dlclose(h);
    return r;
}
