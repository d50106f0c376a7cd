/* Switches that become jump tables, sparse and dense, driven by a random stream.
 * test-schemes: yes */
#include "t.h"

#define C(n) case n: x = x * 31 + n; break;
#define C8(n) C(n) C(n + 1) C(n + 2) C(n + 3) C(n + 4) C(n + 5) C(n + 6) C(n + 7)
#define C64(n) C8(n) C8(n + 8) C8(n + 16) C8(n + 24) C8(n + 32) C8(n + 40) C8(n + 48) C8(n + 56)

static u64 __attribute__((noinline)) step(u64 x, unsigned op)
{
    switch (op) {
    C64(0) C64(64) C64(128) C64(192) C64(256) C64(320)
    case 1000: return x ^ 5;
    case 1001: return x + 17;
    case 1003: return x >> 3;
    default: return ~x;
    }
    return x ^ x >> 7;
}

int main(void)
{
    u64 s = 5, x = 1;
    for (int i = 0; i < 200000; i++)
        x = step(x, (unsigned)(t_random(&s) % 1010));
    printf("%016llx\n", (unsigned long long)x);
    return DONE();
}
