/* gen.h: what the parts of the generator share. Only they know Zydis. */
#ifndef FUZZ_GEN_H
#define FUZZ_GEN_H
#include "fuzz.h"
#include <Zydis/Zydis.h>

struct decoded {
    ZydisDecodedInstruction i;
    ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
};

/* allow.c: may a case contain this instruction? */
enum allow { ALLOW_NO, ALLOW_YES, ALLOW_TRAP };       /* TRAP: always faults; rare, since it ends the case */
void allow_start(void);
enum allow allow_insn(const struct decoded *d, bool uses_seg);

/* catalog.c: encodings of every kind, evenly */
void catalog_start(u64 seed);
bool catalog_pick(struct rng *r, u8 *bytes, struct decoded *d, bool trap);
void catalog_print(void);
bool decode(const u8 *bytes, size_t n, struct decoded *d);
#endif
