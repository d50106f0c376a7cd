/* Code on the stack: nested functions' trampolines of the compiler, made and called again and again.
 * test-build: -Wl,-z,execstack */
#include "t.h"

static int apply(int (*f)(int), int n) { return f(n); }

static int __attribute__((noinline)) with(int a)
{
    int add(int x) { return x + a; }
    return apply(add, a * 2);
}

int main(void)
{
    u64 sum = 0;
    for (int i = 0; i < 2000; i++)
        sum = sum * 31 + (u64)with(i);
    printf("%llx\n", (unsigned long long)sum);
    return DONE();
}
