/* AVX-512 through the compiler's vectors.
 * test-build: -march=skylake-avx512 -mprefer-vector-width=512 -O3
 * test-needs: cpu:avx512f cpu:avx512bw cpu:avx512vl cpu:avx512dq cpu:avx512cd */
#include "t.h"
#include <immintrin.h>

#define N 1024
static int a[N], b[N], c[N];
static float f[N], g[N];
static u8 x[N], y[N];

static u64 __attribute__((noinline)) work(void)
{
    for (int i = 0; i < N; i++)
        c[i] = a[i] > b[i] ? a[i] * 3 - b[i] : (a[i] ^ b[i]) + (b[i] << (a[i] & 7));
    for (int i = 0; i < N; i++)
        g[i] = f[i] > 0.5f ? f[i] * g[i] + 1.25f : f[i] / (g[i] + 2);
    for (int i = 0; i < N; i++)
        y[i] = (u8)(x[i] > y[i] ? x[i] - y[i] : (x[i] + y[i] + 1) >> 1);
    u64 sum = 0;
    for (int i = 0; i < N; i++)
        sum += (u64)__builtin_popcount((unsigned)c[i]) * (u64)(i + 1);
    return sum;
}

int main(void)
{
    u64 s = 7;
    for (int i = 0; i < N; i++) {
        a[i] = (int)t_random(&s), b[i] = (int)t_random(&s), x[i] = (u8)t_random(&s), y[i] = (u8)t_random(&s);
        f[i] = (float)(t_random(&s) >> 40) / (1 << 24), g[i] = (float)(t_random(&s) >> 40) / (1 << 20);
    }
    for (int round = 0; round < 20; round++) {
        u64 n = work();
        u64 h = t_hash(t_hash(t_hash(T_HASH0, c, sizeof c), g, sizeof g), y, sizeof y);
        printf("%llu %016llx\n", (unsigned long long)n, (unsigned long long)h);
        memcpy(a, b, sizeof a), memcpy(b, c, sizeof b), memcpy(f, g, sizeof f / 2);
    }
    return DONE();
}
