/* dlopen, dlsym and dlclose in a loop: code of libraries comes and goes at reused addresses.
 * test-schemes: yes */
#include "t.h"
#include <dlfcn.h>

int main(void)
{
    double sum = 0;
    static const char *const libs[] = {"libm.so.6", "libz.so.1", "libresolv.so.2", "libutil.so.1"};
    for (int i = 0; i < 60; i++) {
        void *h = dlmopen(LM_ID_BASE, libs[i % 4], RTLD_NOW | RTLD_LOCAL);
        if (!h) {
            printf("%s missing\n", libs[i % 4]);
            continue;
        }
        double (*f)(double) = (double (*)(double))dlsym(h, "cbrt");
        unsigned long (*g)(unsigned long, const unsigned char *, unsigned) =
            (unsigned long (*)(unsigned long, const unsigned char *, unsigned))dlsym(h, "crc32");
        if (f)
            sum += f((double)i);
        if (g)
            sum += (double)(g(0, (const u8 *)"hello", 5) & 1023);
        dlclose(h);
    }
    printf("%.10g %s\n", sum, dlopen("/nonexistent.so", RTLD_NOW) ? "" : "no such library");
    return DONE();
}
