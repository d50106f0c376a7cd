/* Every arithmetic instruction sets the flags as natively: all operand sizes, corner values, carry in set and clear. */
#include "t.h"

static const u64 values[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
                             0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0};
#define N (sizeof values / sizeof values[0])
static u64 hash = T_HASH0;

#define TWO(op, type, suffix)                                                                                     \
    for (unsigned i = 0; i < N; i++)                                                                              \
        for (unsigned j = 0; j < N; j++)                                                                          \
            for (u64 in = 2; in < 0x8d6; in += 0x8d3) {                                                           \
                u64 a = values[i], flags = in;                                                                    \
                __asm__ volatile("push %1; popfq; " op " %" suffix "2, %" suffix "0; pushfq; pop %1; cld"         \
                                 : "+r"(a), "+r"(flags) : "r"(values[j]) : "cc", "memory");                       \
                hash = t_hash(hash, &a, 8), hash = t_hash(hash, &flags, 8);                                       \
            }
#define ONE(op, suffix)                                                                                           \
    for (unsigned i = 0; i < N; i++)                                                                              \
        for (u64 in = 2; in < 0x8d6; in += 0x8d3) {                                                               \
            u64 a = values[i], flags = in;                                                                        \
            __asm__ volatile("push %1; popfq; " op " %" suffix "0; pushfq; pop %1; cld"                           \
                             : "+r"(a), "+r"(flags) :: "cc", "memory");                                           \
            hash = t_hash(hash, &a, 8), hash = t_hash(hash, &flags, 8);                                           \
        }
#define ALL_TWO(op)   TWO(op "b", u8, "b") TWO(op "w", u16, "w") TWO(op "l", u32, "k") TWO(op "q", u64, "q")      \
                      printf(op " %016llx\n", (unsigned long long)hash);
#define ALL_ONE(op)   ONE(op "b", "b") ONE(op "w", "w") ONE(op "l", "k") ONE(op "q", "q")                         \
                      printf(op " %016llx\n", (unsigned long long)hash);

int main(void)
{
    ALL_TWO("add") ALL_TWO("adc") ALL_TWO("sub") ALL_TWO("sbb") ALL_TWO("cmp")
    ALL_TWO("and") ALL_TWO("or") ALL_TWO("xor") ALL_TWO("test")
    ALL_ONE("inc") ALL_ONE("dec") ALL_ONE("neg") ALL_ONE("not")
    ALL_ONE("shl") ALL_ONE("shr") ALL_ONE("sar") ALL_ONE("rol") ALL_ONE("ror") ALL_ONE("rcl") ALL_ONE("rcr")
    return DONE();
}
