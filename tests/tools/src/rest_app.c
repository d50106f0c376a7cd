/* What rest.cpp looks at: argv[1] says what to do. */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

__attribute__((noinline)) void mark(void) { __asm__ volatile(""); }

/* The rounding mode is the program's; `mark` may change it. */
static double third(void)
{
    volatile double a = 1, b = 3;
    return a / b;
}

static void rounding(void)
{
    _mm_setcsr((_mm_getcsr() & ~0x6000u) | 0x4000);         /* up */
    printf("%a\n", third());
    mark();
    printf("%a %x\n", third(), _mm_getcsr() & 0x6000);
}

__attribute__((target("avx2"))) static void gather(void)
{
    static long table[64];
    static float small[64];
    long out[4] = { -1, -2, -3, -4 };
    float out4[4] = { -1, -2, -3, -4 };
    for (int i = 0; i < 64; i++) {
        table[i] = 1000 + i;
        small[i] = (float)(i * 2);
    }
    __m256i index = _mm256_setr_epi64x(5, 0, 9, 63), mask = _mm256_setr_epi64x(-1, 0, -1, -1);
    __m256i r = _mm256_mask_i64gather_epi64(_mm256_loadu_si256((void *)out), (const long long *)table, index, mask, 8);
    _mm256_storeu_si256((void *)out, r);
    __m128 q = _mm256_mask_i64gather_ps(_mm_loadu_ps(out4), small, index, _mm_castsi128_ps(_mm_setr_epi32(0, -1, -1, 0)), 4);
    _mm_storeu_ps(out4, q);
    printf("%ld %ld %ld %ld %g %g %g %g\n", out[0], out[1], out[2], out[3], out4[0], out4[1], out4[2], out4[3]);
}

__attribute__((noinline)) static int answer(void)
{
    int r;
    __asm__ volatile("movl $41, %0" : "=r"(r));
    return r;
}

static void patch(void)
{
    unsigned char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(p, "\xb8\x01\x00\x00\x00\xc3", 6);
    int (*f)(void) = (int (*)(void))p;
    int a = f();
    p[1] = 2;
    printf("%d %d\n", a, f());
}

static void generated(void)
{
    unsigned char *p = mmap((void *)0x40000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    memcpy(p, "\xb8\x07\x00\x00\x00\xc3", 6);
    memcpy(p + 64, "\xb8\x09\x00\x00\x00\xc3", 6);
    int n = 0;
    for (int i = 0; i < 5; i++)
        n += ((int (*)(void))p)() + ((int (*)(void))(p + 64))();
    printf("%d\n", n);
}

/* Through a pointer, so that the compiler cannot know better. */
static void strings(void)
{
    size_t (*volatile length)(const char *) = strlen;
    size_t n = 0;
    for (int i = 0; i < 17; i++)
        n += length("four");
    printf("%zu %p\n", n, (void *)length);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    switch (argv[1][0]) {
    case 'r': rounding(); break;
    case 'v': gather(); break;
    case 'a': printf("%d\n", answer()); break;
    case 'p': patch(); break;
    case 'g': generated(); break;
    case 's': strings(); break;
    }
    return 0;
}
