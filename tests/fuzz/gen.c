/* gen.c: make a case: a few items, each a random instruction made harmless by fix-ups before it, or a small pattern of
 * control transfers inside the sequence. */
#include "gen.h"
#include <stdio.h>
#include <string.h>

enum { MAX_JUMPS = 8, ROOM = 80 };

struct jump { u16 at; u8 size, items; };                  /* a displacement that waits for its target */

struct gen {
    struct fuzz_case *c;
    struct rng r;
    u64 area, base;
    struct jump jump[MAX_JUMPS];
    int n_jumps;
};

static void gen_item(struct gen *g, bool patterns);

static u64 here(const struct gen *g) { return g->base + g->c->len; }

static void put(struct gen *g, const void *p, size_t n)
{
    struct fuzz_case *c = g->c;
    if (c->n_insns < CASE_INSNS)
        c->at[c->n_insns++] = c->len;
    memcpy(c->code + c->len, p, n);
    c->len = (u16)(c->len + n);
}

/* An address for an instruction's memory operand: in the window, aligned more often than not, the more so when wide. */
static u64 target(struct gen *g, const struct decoded *d, bool aligned)
{
    u32 off = below(&g->r, WINDOW / 2);
    bool wide = false;
    for (int i = 0; i < d->i.operand_count; i++)
        wide |= d->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY && d->op[i].size >= 128;
    if ((d->i.mnemonic == ZYDIS_MNEMONIC_LDMXCSR || d->i.mnemonic == ZYDIS_MNEMONIC_VLDMXCSR) && chance(&g->r, 85))
        return g->area + AT_CONTROL + (off & 0x7fc);
    if (d->i.mnemonic == ZYDIS_MNEMONIC_FLDCW && chance(&g->r, 85))
        return g->area + AT_CONTROL + 2048 + (off & 0x7fc);
    if (aligned || chance(&g->r, wide ? 85 : 50))
        off &= ~63u;
    else if (chance(&g->r, 50))
        off &= ~15u;
    return g->area + AT_WINDOW + WINDOW / 4 + off;
}

/* mov reg, value in its shortest form */
static void put_mov(struct gen *g, int reg, u64 value)
{
    u8 b[10] = {(u8)(0x48 | reg >> 3), (u8)(0xb8 | (reg & 7))};
    if (value <= 0xffffffff) {
        b[0] = (u8)(0x40 | reg >> 3);
        memcpy(b + 2, &value, 4);
        put(g, b, 6);
    } else {
        memcpy(b + 2, &value, 8);
        put(g, b, 10);
    }
}

static int gpr_number(ZydisRegister reg)
{
    ZydisRegister full = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
    return ZydisRegisterGetClass(full) == ZYDIS_REGCLASS_GPR64 ? ZydisRegisterGetId(full) : -1;
}

/* vmovdqu64 zmm, [rip+...] or vmovdqu ymm, [rip+...]: small numbers as the indices of a gather or scatter */
static void put_index(struct gen *g, const struct decoded *d, ZydisRegister index)
{
    int reg = ZydisRegisterGetId(index);
    bool wide = strchr(ZydisMnemonicGetString(d->i.mnemonic), 'q') != NULL &&
        strstr(ZydisMnemonicGetString(d->i.mnemonic), "erd") == NULL;
    u64 at = g->area + AT_INDEX + (wide ? 2048 : 0) + below(&g->r, 64) * 8;
    u8 b[10];
    size_t n;
    if (d->i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX) {
        u8 e[6] = {0x62, (u8)((reg & 8 ? 0 : 0x80) | 0x60 | (reg & 16 ? 0 : 0x10) | 1), 0xfe, 0x48, 0x6f,
                   (u8)((reg & 7) << 3 | 5)};
        memcpy(b, e, n = 6);
    } else {
        u8 v[5] = {0xc4, (u8)((reg & 8 ? 0 : 0x80) | 0x61), 0x7e, 0x6f, (u8)((reg & 7) << 3 | 5)};
        memcpy(b, v, n = 5);
    }
    int32_t disp = (int32_t)(at - (here(g) + n + 4));
    memcpy(b + n, &disp, 4);
    put(g, b, n + 4);
}

static u64 segment_base(const struct gen *g, ZydisRegister seg)
{
    u64 middle = g->area + AT_WINDOW + WINDOW / 2;
    return seg == ZYDIS_REGISTER_FS ? middle : seg == ZYDIS_REGISTER_GS ? middle - 1024 : 0;
}

static void patch_disp(u8 *b, const struct decoded *d, int64_t value)
{
    memcpy(b + d->i.raw.disp.offset, &value, d->i.raw.disp.size / 8);
}

/* Makes one memory operand point into the window: sets its registers, or patches its displacement.
 * rip-relative operands are patched last, when the place of the instruction is known. */
static void steer(struct gen *g, u8 *b, const struct decoded *d, const ZydisDecodedOperand *o, bool aligned)
{
    u64 t = target(g, d, aligned) - segment_base(g, o->mem.segment);
    int base = gpr_number(o->mem.base), index = gpr_number(o->mem.index), bits = d->i.raw.disp.size;
    u64 disp = (u64)o->mem.disp.value, scale = o->mem.scale ? o->mem.scale : 1;
    u64 mask = d->i.address_width == 32 ? 0xffffffff : ~0ull;
    if (o->mem.base == ZYDIS_REGISTER_RIP || o->mem.base == ZYDIS_REGISTER_EIP)
        return;
    if (ZydisRegisterGetClass(o->mem.index) >= ZYDIS_REGCLASS_XMM &&
        ZydisRegisterGetClass(o->mem.index) <= ZYDIS_REGCLASS_ZMM) {
        put_index(g, d, o->mem.index);
        if (base >= 0 && base != RSP)
            put_mov(g, base, (t - disp) & mask);
        return;
    }
    if (base < 0 && index < 0) {
        if (bits == 64 || (bits == 32 && t < 0x80000000))
            patch_disp(b, d, (int64_t)t);
        return;
    }
    if (base == RSP) {
        if (bits == 32)
            patch_disp(b, d, (int64_t)below(&g->r, 2048) - 1024);
        if (index >= 0)
            put_mov(g, index, below(&g->r, 64));
        return;
    }
    if (base < 0) {                                       /* index * scale + disp32 */
        int64_t small = below(&g->r, 256);
        patch_disp(b, d, small);
        put_mov(g, index, ((t - (u64)small) / scale) & mask);
        return;
    }
    if (o->mem.index == ZYDIS_REGISTER_AL)                /* xlat */
        index = -1;
    if (base == index)
        return;
    u64 value = index >= 0 ? below(&g->r, 256) : 0;
    if (index >= 0)
        put_mov(g, index, value);
    put_mov(g, base, (t - disp - value * scale) & mask);
}

/* The displacement of a rip-relative operand, now that the instruction's own address is known. */
static void steer_rip(struct gen *g, u8 *b, const struct decoded *d, bool aligned)
{
    for (int i = 0; i < d->i.operand_count; i++) {
        const ZydisDecodedOperand *o = &d->op[i];
        if (o->type != ZYDIS_OPERAND_TYPE_MEMORY ||
            (o->mem.base != ZYDIS_REGISTER_RIP && o->mem.base != ZYDIS_REGISTER_EIP))
            continue;
        int64_t disp = (int64_t)(target(g, d, aligned) - segment_base(g, o->mem.segment) - (here(g) + d->i.length));
        if (disp == (int32_t)disp)
            patch_disp(b, d, disp);
    }
}

static bool writes(const struct decoded *d, int reg)
{
    for (int i = 0; i < d->i.operand_count; i++)
        if (d->op[i].type == ZYDIS_OPERAND_TYPE_REGISTER && (d->op[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
            gpr_number(d->op[i].reg.value) == reg)
            return true;
    return false;
}

/* Registers that an instruction uses in ways that a memory operand does not show. */
static void fix_registers(struct gen *g, u8 *b, const struct decoded *d, bool keep_rcx)
{
    const ZydisDecodedInstruction *i = &d->i;
    if (i->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
        put_mov(g, 1, below(&g->r, 40));
    switch (i->mnemonic) {
    case ZYDIS_MNEMONIC_BT: case ZYDIS_MNEMONIC_BTS: case ZYDIS_MNEMONIC_BTR: case ZYDIS_MNEMONIC_BTC:
        if (d->op[0].type == ZYDIS_OPERAND_TYPE_MEMORY && d->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
            int reg = gpr_number(d->op[1].reg.value);
            if (reg != RSP && !(keep_rcx && reg == 1) && reg != gpr_number(d->op[0].mem.base) &&
                reg != gpr_number(d->op[0].mem.index))
                put_mov(g, reg, below(&g->r, 4096));
        }
        break;
    case ZYDIS_MNEMONIC_ENTER:
        b[i->raw.imm[0].offset] &= 0x7f, b[i->raw.imm[0].offset + 1] = 0;
        b[i->raw.imm[1].offset] &= 3;
        /* fall through */
    case ZYDIS_MNEMONIC_LEAVE:
        put_mov(g, 5, g->area + AT_STACK + STACK / 2 - 512 + below(&g->r, 64) * 8);
        break;
    case ZYDIS_MNEMONIC_CLZERO:
        put_mov(g, 0, target(g, d, true));
        break;
    default:
        break;
    }
}

static bool is_locked(const struct decoded *d)
{
    return (d->i.attributes & ZYDIS_ATTRIB_HAS_LOCK) || d->i.mnemonic == ZYDIS_MNEMONIC_XCHG;
}

/* In a case with fs and gs set up, many memory operands use them. */
static void add_segment(struct gen *g, u8 *b, struct decoded *d)
{
    struct decoded with;
    u8 longer[15];
    if (d->i.length > 14 || !chance(&g->r, 40))
        return;
    longer[0] = chance(&g->r, 60) ? 0x64 : 0x65;
    memcpy(longer + 1, b, 14);
    if (decode(longer, 15, &with) && with.i.mnemonic == d->i.mnemonic) {
        memcpy(b, longer, 15);
        *d = with;
    }
}

/* Some forms cannot be led into the window: 32-bit addresses in the high area, one register as base and index. */
static bool can_steer(const struct gen *g, const struct decoded *d)
{
    for (int i = 0; i < d->i.operand_count; i++) {
        const ZydisDecodedOperand *o = &d->op[i];
        if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
            continue;
        if (d->i.address_width == 32 && g->area == AREA_HIGH)
            return false;
        if (gpr_number(o->mem.base) >= 0 && gpr_number(o->mem.base) == gpr_number(o->mem.index))
            return false;
        if (o->mem.base == ZYDIS_REGISTER_NONE && o->mem.index == ZYDIS_REGISTER_NONE && d->i.raw.disp.size == 32 &&
            g->area == AREA_HIGH)
            return false;
    }
    return true;
}

/* One random instruction with its fix-ups. */
static bool gen_insn(struct gen *g, bool trap, bool keep_rcx)
{
    u8 b[16] = {0};
    struct decoded d;
    for (int t = 0; t < 20; t++) {
        if (!catalog_pick(&g->r, b, &d, trap))
            continue;
        if (g->c->uses_seg)
            add_segment(g, b, &d);
        if (allow_insn(&d, g->c->uses_seg) != (trap ? ALLOW_TRAP : ALLOW_YES))
            continue;
        if (writes(&d, RSP) && d.i.meta.category != ZYDIS_CATEGORY_PUSH && d.i.meta.category != ZYDIS_CATEGORY_POP &&
            chance(&g->r, 85))
            continue;
        if (keep_rcx && (writes(&d, 1) || d.i.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                                                            ZYDIS_ATTRIB_HAS_REPNE)))
            continue;
        if (!can_steer(g, &d) && chance(&g->r, 85))
            continue;
        bool aligned = is_locked(&d);
        if (chance(&g->r, 93) || aligned) {
            fix_registers(g, b, &d, keep_rcx);
            for (int i = 0; i < d.i.operand_count; i++)
                if (d.op[i].type == ZYDIS_OPERAND_TYPE_MEMORY && d.op[i].mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
                    !(d.op[i].visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && gpr_number(d.op[i].mem.base) == RSP) &&
                    !(keep_rcx && (gpr_number(d.op[i].mem.base) == 1 || gpr_number(d.op[i].mem.index) == 1)))
                    steer(g, b, &d, &d.op[i], aligned);
            steer_rip(g, b, &d, aligned);
        }
        put(g, b, d.i.length);
        return true;
    }
    return false;
}

/* Patterns -------------------------------------------------------------------------------------------------------- */
static void wait_for(struct gen *g, u8 size, u8 items)
{
    if (g->n_jumps < MAX_JUMPS)
        g->jump[g->n_jumps++] = (struct jump){(u16)(g->c->len - size), size, items};
}

static void land(struct gen *g, bool all)
{
    int kept = 0;
    for (int i = 0; i < g->n_jumps; i++) {
        struct jump *j = &g->jump[i];
        if (!all && --j->items > 0) {
            g->jump[kept++] = *j;
            continue;
        }
        int32_t disp = g->c->len - (j->at + j->size);
        if (j->size == 1)
            g->c->code[j->at] = (u8)(disp > 127 ? 0 : disp);
        else
            memcpy(g->c->code + j->at, &disp, 4);
    }
    g->n_jumps = kept;
}

static void gen_branch(struct gen *g)
{
    u8 cc = (u8)below(&g->r, 16);
    if (g->n_jumps == MAX_JUMPS)
        return;
    switch (below(&g->r, 6)) {
    case 0: put(g, (u8[]){0xeb, 0}, 2), wait_for(g, 1, 2); break;
    case 1: put(g, (u8[]){0xe9, 0, 0, 0, 0}, 5), wait_for(g, 4, (u8)(2 + below(&g->r, 3))); break;
    case 2: put(g, (u8[]){(u8)(0xe0 | (cc & 3)), 0}, 2), wait_for(g, 1, 2); break;
    case 3: put(g, (u8[]){0x67, (u8)(0xe0 | (cc & 3)), 0}, 3), wait_for(g, 1, 2); break;
    case 4: put(g, (u8[]){0x0f, (u8)(0x80 | cc), 0, 0, 0, 0}, 6), wait_for(g, 4, (u8)(2 + below(&g->r, 3))); break;
    default: put(g, (u8[]){(u8)(0x70 | cc), 0}, 2), wait_for(g, 1, 2); break;
    }
}

/* call over a jump to a subroutine of one instruction */
static void gen_call(struct gen *g)
{
    g->c->has_call = 1;
    put(g, (u8[]){0xe8, 2, 0, 0, 0}, 5);
    put(g, (u8[]){0xeb, 0}, 2);
    u16 over = (u16)(g->c->len - 1);
    gen_insn(g, false, false);
    switch (below(&g->r, 4)) {
    case 0: put(g, (u8[]){0xf3, 0xc3}, 2); break;
    case 1: put(g, (u8[]){0xc2, 0, 0}, 3); break;
    default: put(g, (u8[]){0xc3}, 1); break;
    }
    g->c->code[over] = (u8)(g->c->len - over - 1);
}

/* A jump through a register, a return or the stack to the place right behind it. */
static void gen_indirect(struct gen *g)
{
    int reg = (int)below(&g->r, 16), kind = (int)below(&g->r, 4);
    if (reg == RSP)
        reg = 0;
    u8 lea[7] = {(u8)(0x48 | reg >> 3 << 2), 0x8d, (u8)((reg & 7) << 3 | 5)}, rex = (u8)(0x40 | reg >> 3);
    put(g, lea, 7);
    u16 at = (u16)(g->c->len - 4);
    switch (kind) {
    case 0: put(g, (u8[]){rex, 0xff, (u8)(0xe0 | (reg & 7))}, 3); break;
    case 1:
        g->c->has_call = 1;
        put(g, (u8[]){rex, (u8)(0x50 | (reg & 7))}, 2);
        put(g, (u8[]){0xc3}, 1);
        break;
    case 2:
        put(g, (u8[]){rex, (u8)(0x50 | (reg & 7))}, 2);
        put(g, (u8[]){0xff, 0x24, 0x24}, 3);
        break;
    default:
        g->c->has_call = 1;
        put(g, (u8[]){rex, 0xff, (u8)(0xd0 | (reg & 7))}, 3);
        break;
    }
    put(g, (u8[]){0xcc}, 1);
    int32_t disp = g->c->len - (at + 4);
    memcpy(g->c->code + at, &disp, 4);
}

static void gen_loop(struct gen *g)
{
    put_mov(g, 1, 1 + below(&g->r, 5));
    u16 top = g->c->len;
    if (!gen_insn(g, false, true))
        return;
    if (chance(&g->r, 50)) {
        put(g, (u8[]){0xe2, (u8)(top - (g->c->len + 2))}, 2);
    } else {
        put(g, (u8[]){0xff, 0xc9}, 2);
        put(g, (u8[]){0x75, (u8)(top - (g->c->len + 2))}, 2);
    }
}

static void gen_popf(struct gen *g)
{
    u32 flags = 0x202 | ((u32)rnd(&g->r) & 0x200cd5);
    u8 b[5] = {0x68};
    memcpy(b + 1, &flags, 4);
    put(g, b, 5);
    if (chance(&g->r, 70))
        put(g, (u8[]){0x9d}, 1);
    else
        put(g, (u8[]){0x66, 0x9d}, 2);
}

static void gen_item(struct gen *g, bool patterns)
{
    u32 p = below(&g->r, 100);
    if (!patterns || p >= 20) {
        gen_insn(g, p >= 99, false);
        return;
    }
    if (p < 9)
        gen_branch(g);
    else if (p < 12)
        gen_call(g);
    else if (p < 15)
        gen_indirect(g);
    else if (p < 18)
        gen_loop(g);
    else
        gen_popf(g);
}

void gen_start(u64 seed)
{
    allow_start();
    catalog_start(seed);
}

void gen_case(struct fuzz_case *c, u64 seed, u32 number)
{
    struct rng mix = {seed * 0x100000001b3ull + number};
    memset(c, 0, sizeof *c);
    c->seed = rnd(&mix), c->number = number;
    struct gen g = {.c = c, .r = {c->seed}, .area = area_of(number), .base = code_of(number)};
    c->uses_seg = chance(&g.r, 6);
    int items = chance(&g.r, 25) ? 1 : 2 + (int)below(&g.r, 8);
    for (int i = 0; i < items && c->len + ROOM + 60 < CASE_CODE && c->n_insns + 8 < CASE_INSNS; i++) {
        gen_item(&g, items > 1);
        land(&g, false);
    }
    land(&g, true);
}

void gen_kinds(void) { catalog_print(); }

void gen_print(const struct fuzz_case *c)
{
    ZydisFormatter f;
    char text[128];
    ZydisFormatterInit(&f, ZYDIS_FORMATTER_STYLE_INTEL);
    printf("case %u at %llx, seed %llx%s\n", c->number, (unsigned long long)code_of(c->number),
           (unsigned long long)c->seed,
           c->uses_seg ? ", fs and gs in use" : "");
    for (int i = 0; i < c->n_insns; i++) {
        struct decoded d;
        u16 at = c->at[i], end = i + 1 < c->n_insns ? c->at[i + 1] : c->len;
        bool ok = decode(c->code + at, (size_t)(end - at), &d);
        if (ok)
            ZydisFormatterFormatInstruction(&f, &d.i, d.op, d.i.operand_count_visible, text, sizeof text,
                                            code_of(c->number) + at, NULL);
        printf("  %2d +%03x  ", i, at);
        for (int j = 0; j < 15; j++)
            at + j < end ? printf("%02x", c->code[at + j]) : printf("  ");
        printf("  %s\n", ok ? text : "?");
    }
}
