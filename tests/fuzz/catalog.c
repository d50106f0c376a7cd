/* catalog.c: random encodings, sorted into kinds, so that rare instructions come as often as common ones.
 * At the start three million random byte strings are decoded; each new kind (mnemonic, encoding,
 * opcode, operand shape) is
 * kept. A pick takes a kind, changes its operand bytes at random and checks that it is still the same instruction. */
#include "gen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 3000000, KINDS = 65536 };
enum class { GENERAL, X87_MMX, SSE, VEX, EVEX, TRAP, N_CLASSES };

struct kind {
    u8 bytes[15], len;
    u8 class;
    u16 mnemonic;
    u32 key;
};

static struct kind kinds[KINDS];
static u32 n_kinds, first[N_CLASSES], last[N_CLASSES];
static u32 *starts[N_CLASSES], n_starts[N_CLASSES];        /* where a new mnemonic begins */
static ZydisDecoder decoder;

bool decode(const u8 *bytes, size_t n, struct decoded *d)
{
    static bool ready;
    if (!ready)
        ready = ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, n, &d->i, d->op));
}

static u8 any_byte(struct rng *r)
{
    static const u8 corners[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe, 8, 0x10};
    return chance(r, 25) ? corners[below(r, 8)] : (u8)rnd(r);
}

static void random_bytes(struct rng *r, u8 *b)
{
    static const u8 legacy[] = {0x66, 0x66, 0xf2, 0xf3, 0xf3, 0xf0, 0x67, 0x2e, 0x36, 0x3e, 0x26};
    int n = 0, kind = (int)below(r, 100);
    for (int i = 0; i < 15; i++)
        b[i] = any_byte(r);
    while (chance(r, 28) && n < 4)
        b[n++] = legacy[below(r, sizeof legacy)];
    if (kind < 70) {
        if (chance(r, 50))
            b[n++] = (u8)(0x40 | below(r, 16));
        if (kind >= 30)
            b[n++] = 0x0f;
        if (kind >= 50)
            b[n++] = kind < 60 ? 0x38 : 0x3a;
    } else if (kind < 82) {
        b[n++] = chance(r, 30) ? 0xc5 : 0xc4;
        if (b[n - 1] == 0xc4)
            b[n++] = (u8)(below(r, 8) << 5 | (1 + below(r, 3)));
    } else {
        b[n++] = 0x62;
        b[n++] = (u8)(below(r, 16) << 4 | (1 + below(r, 3)));
        b[n++] |= 4;
    }
}

static u8 class_of(const struct decoded *d, enum allow a)
{
    if (a == ALLOW_TRAP)
        return TRAP;
    switch (d->i.encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_VEX: return VEX;
    case ZYDIS_INSTRUCTION_ENCODING_EVEX: return EVEX;
    default: break;
    }
    for (int i = 0; i < d->i.operand_count; i++)
        if (d->op[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
            switch (ZydisRegisterGetClass(d->op[i].reg.value)) {
            case ZYDIS_REGCLASS_X87: case ZYDIS_REGCLASS_MMX: return X87_MMX;
            case ZYDIS_REGCLASS_XMM: return SSE;
            default: break;
            }
    return d->i.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (d->i.opcode & 0xf8) == 0xd8 ? X87_MMX : GENERAL;
}

static u32 key_of(const struct decoded *d)
{
    u64 attr = d->i.attributes & (ZYDIS_ATTRIB_HAS_LOCK | ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                                  ZYDIS_ATTRIB_HAS_REPNE |
                                  ZYDIS_ATTRIB_HAS_OPERANDSIZE | ZYDIS_ATTRIB_HAS_ADDRESSSIZE);
    u64 h = (u64)d->i.mnemonic * 131 + d->i.encoding;
    h = h * 131 + (u64)d->i.opcode_map * 256 + d->i.opcode;
    h = h * 131 + d->i.operand_width;
    h = h * 131 + d->i.avx.vector_length;
    h = h * 131 + d->i.avx.mask.mode;
    h = h * 131 + d->i.avx.broadcast.mode;
    h = h * 131 + (attr ^ attr >> 32);
    for (int i = 0; i < d->i.operand_count_visible; i++)
        h = h * 131 + (u64)d->op[i].type * 8 + (d->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY ?
                                                d->op[i].mem.base == ZYDIS_REGISTER_RIP : 0);
    h *= 0x9e3779b97f4a7c15ull;
    return (u32)(h >> 32);
}

static int by_class(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->mnemonic != y->mnemonic)
        return x->mnemonic < y->mnemonic ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void collect(struct rng *r)
{
    static u32 seen[1 << 18];
    for (int t = 0; t < TRIES && n_kinds < KINDS; t++) {
        u8 b[15];
        struct decoded d;
        random_bytes(r, b);
        if (!decode(b, sizeof b, &d))
            continue;
        enum allow a = allow_insn(&d, true);
        if (a == ALLOW_NO || d.i.attributes & (ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS))
            continue;
        u32 key = key_of(&d) | 1, at = key;
        while (seen[at & 0x3ffff] && seen[at & 0x3ffff] != key)
            at++;
        if (seen[at & 0x3ffff])
            continue;
        seen[at & 0x3ffff] = key;
        struct kind *k = &kinds[n_kinds++];
        memcpy(k->bytes, b, 15);
        k->len = d.i.length, k->class = class_of(&d, a), k->mnemonic = (u16)d.i.mnemonic, k->key = key_of(&d);
    }
}

void catalog_start(u64 seed)
{
    struct rng r = {seed ^ 0xca7a106};
    collect(&r);
    qsort(kinds, n_kinds, sizeof kinds[0], by_class);
    for (u32 i = 0, c = 0; c < N_CLASSES; c++) {
        first[c] = i;
        starts[c] = malloc((n_kinds + 1) * sizeof(u32));
        for (; i < n_kinds && kinds[i].class == c; i++)
            if (i == first[c] || kinds[i].mnemonic != kinds[i - 1].mnemonic)
                starts[c][n_starts[c]++] = i;
        starts[c][n_starts[c]] = last[c] = i;
    }
}

static const struct kind *choose(struct rng *r, bool trap)
{
    static const u8 weight[] = {45, 57, 74, 86, 100};
    u32 c = TRAP, p = below(r, 100);
    if (!trap)
        for (c = 0; p >= weight[c]; c++)
            ;
    if (n_starts[c] == 0)
        c = GENERAL;
    if (chance(r, 30))
        return &kinds[first[c] + below(r, last[c] - first[c])];
    u32 m = below(r, n_starts[c]), lo = starts[c][m], hi = starts[c][m + 1];
    return &kinds[lo + below(r, hi - lo)];
}

/* Fills in other registers, addressing forms, displacements and immediates. */
static void vary(struct rng *r, const struct kind *k, const struct decoded *d, u8 *b)
{
    const ZydisDecodedInstruction *i = &d->i;
    if (i->attributes & ZYDIS_ATTRIB_HAS_MODRM) {
        u8 keep = chance(r, 50) ? 0xc0 : 0;
        u32 at = i->raw.modrm.offset;
        b[at] = (u8)((b[at] & (keep | (chance(r, 40) ? 0x38 : 0))) | ((u8)rnd(r) & (u8)~keep));
        for (u32 j = at + 1; j < 15; j++)
            b[j] = any_byte(r);
    } else {
        for (u32 j = 0; j < 2; j++)
            for (u32 n = 0; n < i->raw.imm[j].size / 8u; n++)
                b[i->raw.imm[j].offset + n] = any_byte(r);
    }
    if (i->attributes & ZYDIS_ATTRIB_HAS_REX)
        b[i->raw.rex.offset] ^= (u8)below(r, 8);
    if (i->attributes & ZYDIS_ATTRIB_HAS_VEX && i->raw.vex.size == 3)
        b[i->raw.vex.offset + 1] ^= (u8)(below(r, 8) << 5), b[i->raw.vex.offset + 2] ^= (u8)(below(r, 16) << 3);
    if (i->attributes & ZYDIS_ATTRIB_HAS_EVEX) {
        b[i->raw.evex.offset + 1] ^= (u8)(below(r, 16) << 4), b[i->raw.evex.offset + 2] ^= (u8)(below(r, 16) << 3);
        b[i->raw.evex.offset + 3] ^= (u8)below(r, 16);
    }
}

/* One encoding, decoded. False (rarely): nothing fitted. */
bool catalog_pick(struct rng *r, u8 *bytes, struct decoded *d, bool trap)
{
    const struct kind *k = choose(r, trap);
    struct decoded sample;
    if (!decode(k->bytes, 15, &sample))
        return false;
    for (int t = 0; t < 12; t++) {
        memcpy(bytes, k->bytes, 15);
        vary(r, k, &sample, bytes);
        if (decode(bytes, 15, d) && d->i.mnemonic == k->mnemonic && d->i.encoding == sample.i.encoding)
            return true;
    }
    memcpy(bytes, k->bytes, 15);
    return decode(bytes, 15, d);
}

void catalog_print(void)
{
    static const char *const names[] = {"general", "x87 and MMX", "SSE", "VEX", "EVEX", "always fault"};
    for (int c = 0; c < N_CLASSES; c++)
        printf("%-12s %5u kinds of %4u instructions\n", names[c], last[c] - first[c], n_starts[c]);
}
