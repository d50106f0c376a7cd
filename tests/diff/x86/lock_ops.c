/* Locked read-modify-writes in all sizes, cmpxchg8b and cmpxchg16b, xchg without prefix, across a cache line. */
#include "t.h"

static u8 line[256] __attribute__((aligned(64)));

int main(void)
{
    for (int i = 0; i < 256; i++)
        line[i] = (u8)i;
    for (int at = 0; at < 70; at += 7) {
        u8 *p = line + at;
        u64 v = 0x1122334455667788, f;
        __asm__ volatile("lock addq %2, (%1); lock subl $5, 8(%1); lock orw $0x1100, 12(%1); lock xorb $0xff, 14(%1)\n"
                         "lock btsq $13, 16(%1); lock btcq $14, 16(%1); lock incq 24(%1); lock negl 32(%1);"
                         " lock notw 36(%1)\n"
                         "lock xaddq %2, 40(%1); xchg %2, 48(%1); lock decb 56(%1); pushfq; pop %0"
                         : "=&r"(f) : "r"(p), "r"(v) : "memory", "cc");
        printf("%d flags %llx %016llx\n", at, (unsigned long long)f, (unsigned long long)t_hash(T_HASH0, line, 256));
    }
    u64 *q = (u64 *)line;
    for (int match = 0; match < 2; match++) {
        u64 a = match ? q[0] : 1, d = match ? q[1] : 2;
        u8 z;
        __asm__ volatile("lock cmpxchg16b (%4); sete %2" : "+a"(a), "+d"(d), "=q"(z) : "b"(77ull), "D"(q), "c"(88ull) :
                         "memory");
        printf("16b %d: %llx %llx now %llx %llx\n", z, (unsigned long long)a, (unsigned long long)d,
               (unsigned long long)q[0],
               (unsigned long long)q[1]);
        u32 b = match ? (u32)q[2] : 3, e = match ? (u32)(q[2] >> 32) : 4;
        __asm__ volatile("lock cmpxchg8b (%4); sete %2" : "+a"(b), "+d"(e), "=q"(z) : "b"(5), "D"(q + 2), "c"(6) :
                         "memory");
        printf("8b %d: %x %x now %llx\n", z, b, e, (unsigned long long)q[2]);
    }
    return DONE();
}
