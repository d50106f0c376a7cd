/* Integer arithmetic of all widths through the compiler: a long checksum. */
#include "t.h"

int main(void)
{
    u64 s = 1, h = T_HASH0;
    for (int i = 0; i < 20000; i++) {
        u64 a = t_random(&s), b = t_random(&s) | 1;
        int64_t c = (int64_t)a, d = (int64_t)(b >> (a & 31));
        __int128 wide = (__int128)c * d;
        u64 out[] = {a / b, a % b, (u64)(c / (d | 1)), (u64)(c % (d | 1)), (u64)(wide >> 64), (u64)(wide / (c | 1)),
                     a << (b & 63),
                     (u64)(c >> (b & 63)), (u64)(u32)a * (u32)b, (u64)(int8_t)a, (u64)(int16_t)b, a * b, a ^ b, ~a & b,
                     (u64)__builtin_clzll(b), (u64)__builtin_popcountll(a), __builtin_bswap64(a), (u64)(c < d),
                         (u64)(a < b)};
        h = t_hash(h, out, sizeof out);
    }
    printf("%016llx\n", (unsigned long long)h);
    return DONE();
}
