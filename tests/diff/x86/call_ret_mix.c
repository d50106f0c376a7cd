/* Many call sites of many small functions, with returns in an order that no predictor likes; 200000 calls.
 * test-schemes: yes */
#include "t.h"

#define F(n) static u64 __attribute__((noinline)) f##n(u64 x) { return x & 1 ? x * 3 + n : x / 2 + n; }
F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
static u64 __attribute__((noinline)) g0(u64 x) { return f0(x) ^ f1(f2(x)) ^ f3(x + 1); }
static u64 __attribute__((noinline)) g1(u64 x) { return x & 4 ? f4(f5(x)) : f6(x) + g0(x); }
static u64 __attribute__((noinline)) g2(u64 x) { return g1(f7(x)) + g0(x >> 3) + g1(x >> 5); }

int main(void)
{
    u64 x = 1;
    for (int i = 0; i < 20000; i++)
        x = g2(x + (u64)i) % 1000000007;
    printf("%llu\n", (unsigned long long)x);
    return DONE();
}
