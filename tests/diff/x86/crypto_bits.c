/* AES, SHA, PCLMUL, BMI, ADX, POPCNT, MOVBE, CRC32 instructions give the machine's results.
 * test-build: -maes -msha -mpclmul -mbmi -mbmi2 -madx -mpopcnt -mmovbe -msse4.2 -mlzcnt
 * test-needs: cpu:aes cpu:sha_ni cpu:pclmulqdq cpu:bmi1 cpu:bmi2 cpu:adx cpu:popcnt cpu:movbe cpu:abm */
#include "t.h"
#include <immintrin.h>

static void show(const char *what, __m128i v)
{
    u64 out[2];
    memcpy(out, &v, 16);
    printf("%s %016llx %016llx\n", what, (unsigned long long)out[1], (unsigned long long)out[0]);
}

int main(void)
{
    volatile u64 p = 0x123456789abcdef0, q = 0x0f1e2d3c4b5a6978;
    __m128i a = _mm_set_epi64x((long long)p, (long long)q), b = _mm_set_epi64x((long long)q, (long long)p);
    show("aesenc", _mm_aesenc_si128(a, b));
    show("aesdeclast", _mm_aesdeclast_si128(a, b));
    show("keygen", _mm_aeskeygenassist_si128(a, 0x1b));
    show("imc", _mm_aesimc_si128(a));
    show("sha1", _mm_sha1rnds4_epu32(a, b, 2));
    show("sha256", _mm_sha256rnds2_epu32(a, b, a));
    show("sha256msg", _mm_sha256msg2_epu32(a, b));
    show("clmul", _mm_clmulepi64_si128(a, b, 0x10));
    printf("pext %llx pdep %llx bextr %llx andn %llx blsi %llx blsr %llx tzcnt %llu lzcnt %llu\n", _pext_u64(p, q),
           _pdep_u64(p, q), __bextr_u64(p, 0x1408), __andn_u64(p, q), __blsi_u64(p), __blsr_u64(p), __tzcnt_u64(p),
           (unsigned long long)_lzcnt_u64(q));
    unsigned long long hi, lo = _mulx_u64(p, q, &hi), sum;
    unsigned char c = _addcarryx_u64(1, p, ~q, &sum);
    u64 swapped;
    __asm__("movbe %1, %0" : "=r"(swapped) : "m"(p));
    printf("mulx %llx %llx adx %d %llx movbe %llx rorx %llx crc %llx popcnt %d\n", hi, lo, c, sum,
           (unsigned long long)swapped, (unsigned long long)(p >> 13 | p << 51), _mm_crc32_u64(7, p),
               _mm_popcnt_u64(q));
    return DONE();
}
