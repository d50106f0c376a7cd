/* decode.c: bytes to struct x86_insn by tables (decode_tables.h).
 *
 *  (1) At most WINDOW bytes from p are read; what is behind the instruction does not change the answer. An instruction
 *      that needed more than there is is incomplete.
 *  (2) The common path (REX, one- or two-byte opcode, modrm, immediate) makes one look-up per byte class and no
 *      validity test; whatever needs a test carries D_CHECK in its descriptor.
 *  (3) Where vendors differ, Intel's way is taken: a 66 prefix does not shorten a near branch.
 *
 * Beyond what decode.h promises: for VEX, EVEX and XOP, opsize16 and rep hold the prefix that pp stands for; the
 * address of a moffs operand, too wide for disp, is in imm (imm_size and has_mem stay 0, since no modrm names it); the
 * immediates of int, ret and enter are zero-extended, and int3 and int1 have imm 3 and 1. */
#include "arch/x86/decode.h"
#include "arch/x86/decode_tables.h"

enum { MAX_LEN = 15, WINDOW = X86_WINDOW };
enum { REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1 };

static inline u64 load64(const u8 *p)
{
    u64 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

static inline u32 load32(const u8 *p)
{
    u32 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

static inline u32 mandatory_prefix(const struct x86_insn *o)
{
    return o->rep ? (o->rep == 0xf3 ? PP_F3 : PP_F2) : o->opsize16;
}

/* ---- Fields after the opcode ---- */

/* Read modrm, sib and displacement at off; returns the offset behind them. Branches are right here: predicted, they let
 * the next instruction start before this one's length is known; a branch-free version was slower by a fifth. */
static inline u32 read_modrm(const u8 *p, u32 off, struct x86_insn *o)
{
    u32 modrm = p[off], class = modrm_class[(modrm >> 3 & 0x18) | (modrm & 7)], n = class & 7;

    o->has_modrm = 1;
    o->modrm = (u8)modrm;
    o->modrm_off = (u8)off++;
    if (!(class & MR_MEM))
        return off;
    o->has_mem = 1;
    o->rip_rel = (class & MR_RIP) != 0;
    if (class & MR_SIB) {
        o->sib = p[off++];
        if ((o->sib & 7) == 5 && n == 0)
            n = 4;
    }
    if (n) {
        o->disp_off = (u8)off;
        o->disp_size = (u8)n;
        o->disp = n == 4 ? (s32)load32(p + off) : (s32)(signed char)p[off];
    }
    return off + n;
}

static u32 read_moffs(const u8 *p, u32 off, struct x86_insn *o)
{
    o->disp_off = (u8)off;
    o->disp_size = o->addr32 ? 4 : 8;
    o->imm = o->addr32 ? (s64)load32(p + off) : (s64)load64(p + off);
    o->disp = (s32)o->imm;
    return off + o->disp_size;
}

static u32 read_3dnow(const u8 *p, u32 off, struct x86_insn *o)
{
    u8 op = p[off];

    o->enc = X86_ENC_3DNOW;
    o->map = X86_MAP_OTHER;
    o->opcode = op;
    o->opcode_off = (u8)off;
    if (!(suffix_3dnow[op >> 6] & BIT(op)))
        o->kind = X86_BAD;
    return off + 1;
}

/* mov to and from control and debug registers: a register form whatever mod says. */
static u32 read_register_modrm(const u8 *p, u32 off, struct x86_insn *o)
{
    o->has_modrm = 1;
    o->modrm = p[off];
    o->modrm_off = (u8)off;
    if ((o->rex & REX_R) && ((o->opcode & 1) || (p[off] & 0x38)))    /* of registers 8 to 15 only cr8 exists */
        o->kind = X86_BAD;
    return off + 1;
}

/* int, ret and enter: unsigned. */
static u32 read_unsigned(const u8 *p, u32 off, u32 n, struct x86_insn *o)
{
    o->imm_off = (u8)off;
    o->imm_size = (u8)n;
    o->imm = (s64)(load32(p + off) & ((1u << 8 * n) - 1));
    return off + n;
}

static u32 read_odd_tail(const u8 *p, u32 off, u32 type, struct x86_insn *o)
{
    switch (type) {
    case IMM_MOFFS:
        return read_moffs(p, off, o);
    case IMM_SUFFIX:
        return read_3dnow(p, off, o);
    case IMM_REGS:
        return read_register_modrm(p, off, o);
    case IMM_TRAP:
        o->imm = o->opcode == 0xcc ? 3 : 1;
        return off;
    default:
        return read_unsigned(p, off, imm_bytes[type][0], o);
    }
}

static inline u32 read_imm(const u8 *p, u32 off, u32 type, struct x86_insn *o)
{
    u32 n = imm_bytes[type][o->rex & REX_W ? 2 : o->opsize16], shift = 64 - 8 * n;

    if (UNLIKELY(type >= IMM_ODD))
        return read_odd_tail(p, off, type, o);
    o->imm_off = (u8)off;
    o->imm_size = (u8)n;
    o->imm = (s64)(load64(p + off) << shift) >> shift;
    return off + n;
}

/* ---- Checks off the hot path ---- */

/* Follow a descriptor through the rows of `sub`; p points at the byte after the opcode. *looks: that byte mattered. */
static u32 resolve(u32 d, const u8 *p, u32 pp, bool *looks)
{
    u32 modrm = p[0], row;

    while (D_GET_BY(d) != BY_NONE) {
        row = D_GET_ROW(d);
        *looks |= D_GET_BY(d) != BY_PP;
        switch (D_GET_BY(d)) {
        case BY_PP:
            d = sub[row][pp];
            break;
        case BY_MODREG:
            d = sub[row + (modrm >= 0xc0)][modrm >> 3 & 7];
            break;
        default:
            d = sub[row][modrm & 7];
        }
    }
    return d;
}

static u32 check(u32 d, const u8 *p, u32 pp, bool *looks)
{
    if (D_GET_PP(d) && !(D_GET_PP(d) >> pp & 1))
        return D_KIND(X86_BAD) | (d & D_MODRM);
    d = resolve(d, p, pp, looks);
    if (!(D_GET_PP(d) >> pp & 1) || ((d & D_MEM) && p[0] >= 0xc0) || ((d & D_REG) && p[0] < 0xc0))
        return D_KIND(X86_BAD) | (d & D_MODRM);
    return d;
}

/* ---- Legacy encodings ---- */

static bool decode_legacy(const u8 *p, u32 off, u32 d, struct x86_insn *o)
{
    bool looks = false;

    if (d & D_CHECK)
        d = check(d, p + off, mandatory_prefix(o), &looks);
    o->kind = (u8)D_GET_KIND(d);
    if (d & D_MODRM) {
        off = read_modrm(p, off, o);
        o->is_lea = (d & D_LEA) && o->has_mem;
    }
    if (D_GET_IMM(d) != IMM_NONE)
        off = read_imm(p, off, D_GET_IMM(d), o);
    if (d & D_CC)
        o->cc = o->opcode & 15;
    if (UNLIKELY(o->lock) && !((d & D_LOCK) && o->has_mem))
        o->kind = X86_BAD;
    if (UNLIKELY(o->kind == X86_BAD) && looks && !o->has_modrm)
        off++;                                  /* what makes it one is part of it: it may not have been fetched yet */
    o->len = (u8)off;
    return o->kind != X86_BAD;
}

/* The opcode at off is the last byte of an 0f, 0f38 or 0f3a sequence. */
static inline bool decode_escaped(const u8 *p, u32 off, struct x86_insn *o)
{
    const u32 *map = map_0f;

    o->map = X86_MAP_0F;
    if (p[off] == 0x38 || p[off] == 0x3a) {
        o->map = p[off] == 0x38 ? X86_MAP_0F38 : X86_MAP_0F3A;
        map = p[off] == 0x38 ? map_0f38 : map_0f3a;
        off++;
    }
    o->opcode = p[off];
    o->opcode_off = (u8)off;
    return decode_legacy(p, off + 1, map[p[off]], o);
}

/* ---- VEX, EVEX, XOP ---- */

static bool give_up(struct x86_insn *o, u32 len)
{
    o->kind = X86_BAD;
    o->len = (u8)len;
    return false;
}

/* Opcodes of which modrm.reg is a part: the values of reg that exist, one bit each. */
static u32 group_regs(const struct x86_insn *o)
{
    static const struct { u8 enc, map, opcode, regs; } groups[] = {
        { X86_ENC_VEX, X86_MAP_0F, 0x71, 0x54 },    { X86_ENC_VEX, X86_MAP_0F, 0x72, 0x54 },
        { X86_ENC_VEX, X86_MAP_0F, 0x73, 0xcc },    { X86_ENC_VEX, X86_MAP_0F, 0xae, 0x0c },
        { X86_ENC_VEX, X86_MAP_0F38, 0xf3, 0x0e },  { X86_ENC_EVEX, X86_MAP_0F, 0x71, 0x54 },
        { X86_ENC_EVEX, X86_MAP_0F, 0x72, 0x57 },   { X86_ENC_EVEX, X86_MAP_0F, 0x73, 0xcc },
        { X86_ENC_EVEX, X86_MAP_0F38, 0xc6, 0x66 }, { X86_ENC_EVEX, X86_MAP_0F38, 0xc7, 0x66 },
        { X86_ENC_XOP, X86_MAP_OTHER, 0x01, 0xfe }, { X86_ENC_XOP, X86_MAP_OTHER, 0x02, 0x42 },
        { X86_ENC_XOP, X86_MAP_OTHER, 0x12, 0x03 },
    };
    for (u32 i = 0; i < ARRAY_LEN(groups); i++)
        if (groups[i].enc == o->enc && groups[i].map == o->map && groups[i].opcode == o->opcode)
            return groups[i].regs;
    return 0;
}

/* The opcode is at off; v is its entry, imm the kind of immediate its map prescribes. o->rex is 0 when a real REX stood
 * before the prefix: like lock, 66, f2 and f3 that makes the instruction invalid. */
static bool decode_vector(const u8 *p, u32 off, u32 v, u32 pp, u32 imm, struct x86_insn *o)
{
    static const u8 rep_of_pp[4] = { 0, 0, 0xf3, 0xf2 };
    bool ok = v >> pp & 1;

    if (o->rex == 0 || o->lock || o->rep || o->opsize16)
        ok = false;
    o->opcode = p[off];
    o->opcode_off = (u8)off++;
    o->rep = rep_of_pp[pp];
    o->opsize16 = pp == PP_66;
    if (!(v & V_NO_MODRM)) {
        off = read_modrm(p, off, o);
        if ((o->has_mem ? V_REG(v) : V_MEM(v)) >> pp & 1)
            ok = false;
        if ((v & V_GROUP) && !(group_regs(o) >> (o->modrm >> 3 & 7) & 1))
            ok = false;
    }
    if (imm != IMM_NONE || (v & V_IB))
        off = read_imm(p, off, imm != IMM_NONE ? imm : IMM_B, o);
    o->kind = ok ? X86_PLAIN : X86_BAD;
    o->len = (u8)off;
    return ok;
}

static u8 rex_of(u32 w, u32 inverted_rxb)
{
    return (u8)(0x40 | (w ? REX_W : 0) | (~inverted_rxb & 7));
}

static u8 vector_map(u32 m)
{
    return m >= 1 && m <= 3 ? (u8)(X86_MAP_1 + m) : X86_MAP_OTHER;
}

static bool decode_vex2(const u8 *p, u32 off, bool had_rex, struct x86_insn *o)
{
    u32 b = p[off + 1];

    o->enc = X86_ENC_VEX;
    o->vex_len = 2;
    o->map = X86_MAP_0F;
    o->rex = had_rex ? 0 : rex_of(0, (b >> 5 & 4) | 3);
    o->vvvv = ~b >> 3 & 15;
    return decode_vector(p, off + 2, vector_maps[VEX_0F][p[off + 2]], b & 3, IMM_NONE, o);
}

static bool decode_vex3(const u8 *p, u32 off, bool had_rex, struct x86_insn *o)
{
    u32 m = p[off + 1] & 31, b = p[off + 2];

    o->enc = X86_ENC_VEX;
    o->vex_len = 3;
    o->map = vector_map(m);
    o->rex = had_rex ? 0 : rex_of(b >> 7, p[off + 1] >> 5);
    o->vvvv = ~b >> 3 & 15;
    if (m < 1 || m > 3)
        return give_up(o, off + 3);
    return decode_vector(p, off + 3, vector_maps[VEX_0F + m - 1][p[off + 3]], b & 3, m == 3 ? IMM_B : IMM_NONE, o);
}

static bool decode_xop(const u8 *p, u32 off, bool had_rex, struct x86_insn *o)
{
    static const u8 imms[3] = { IMM_B, IMM_NONE, IMM_D };
    u32 m = (p[off + 1] & 31) - 8, b = p[off + 2];

    o->enc = X86_ENC_XOP;
    o->map = X86_MAP_OTHER;
    o->rex = had_rex ? 0 : rex_of(b >> 7, p[off + 1] >> 5);
    o->vvvv = ~b >> 3 & 15;
    if (m > 2)
        return give_up(o, off + 3);
    return decode_vector(p, off + 3, vector_maps[XOP_8 + m][p[off + 3]], b & 3, imms[m], o);
}

/* Bytes per unit of an 8-bit displacement. ll: vector length 16 << ll; w: EVEX.W; broadcast: EVEX.b. */
static s32 disp8_unit(u32 tuple, u32 ll, u32 w, bool broadcast)
{
    s32 vector = 16 << ll, element = w ? 8 : 4;

    switch (tuple) {
    case TUP_FULL:      return broadcast ? element : vector;
    case TUP_FULL_H:    return broadcast ? 2 : vector;
    case TUP_HALF:      return broadcast ? element : vector / 2;
    case TUP_HALF_H:    return broadcast ? 2 : vector / 2;
    case TUP_QUARTER:   return broadcast ? 2 : vector / 4;
    case TUP_EIGHTH:    return vector / 8;
    case TUP_W:         return element;
    case TUP_BW:        return w ? 2 : 1;
    case TUP_HALF_FULL: return broadcast ? element : w ? vector : vector / 2;
    case TUP_DUP:       return ll ? vector : 8;
    default:            return 1 << (tuple - TUP_1);
    }
}

static bool decode_evex(const u8 *p, u32 off, bool had_rex, struct x86_insn *o)
{
    u32 m = p[off + 1] & 7, b = p[off + 2], c = p[off + 3], op = p[off + 4], pp = b & 3;
    bool ok;

    o->enc = X86_ENC_EVEX;
    o->map = vector_map(m);
    o->rex = had_rex ? 0 : rex_of(b >> 7, p[off + 1] >> 5);
    o->vvvv = (u8)((~b >> 3 & 15) | (~c << 1 & 16));
    if (m == 0 || m == 4 || m == 7 || (p[off + 1] & 8) || !(b & 4))
        return give_up(o, off + 4);
    ok = decode_vector(p, off + 4, vector_maps[EVEX_0F + m - 1][op], pp, m == 3 ? IMM_B : IMM_NONE, o);
    if (o->disp_size == 1)
        o->disp *= disp8_unit(evex_tuples[m - 1][op] >> 4 * pp & 15, c >> 5 & 3, b >> 7, c >> 4 & 1);
    return ok;
}

/* ---- Prefixes ---- */

static bool decode_xop_or_pop(const u8 *p, u32 off, bool had_rex, struct x86_insn *o)
{
    if ((p[off + 1] & 31) >= 8)
        return decode_xop(p, off, had_rex, o);
    o->opcode = p[off];
    o->opcode_off = (u8)off;
    return decode_legacy(p, off + 1, group_pop, o);
}

static bool decode_escape(const u8 *p, u32 off, u32 class, struct x86_insn *o)
{
    bool had_rex = o->rex != 0;

    switch (class) {
    case PFX_0F:
        return decode_escaped(p, off + 1, o);
    case PFX_VEX2:
        return decode_vex2(p, off, had_rex, o);
    case PFX_VEX3:
        return decode_vex3(p, off, had_rex, o);
    case PFX_EVEX:
        return decode_evex(p, off, had_rex, o);
    default:
        return decode_xop_or_pop(p, off, had_rex, o);
    }
}

static void take_prefix(u8 byte, u32 class, struct x86_insn *o)
{
    o->rex = 0;      /* a REX counts only right before the opcode */
    switch (class) {
    case PFX_REX:  o->rex = byte;           break;
    case PFX_66:   o->opsize16 = 1;         break;
    case PFX_67:   o->addr32 = 1;           break;
    case PFX_REP:  o->rep = byte;           break;
    case PFX_LOCK: o->lock = 1;             break;
    case PFX_FS:   o->seg = X86_SEG_FS;     break;
    case PFX_GS:   o->seg = X86_SEG_GS;     break;
    default:                                break;
    }
}

static inline bool decode_one_byte(const u8 *p, u32 off, u32 d, struct x86_insn *o)
{
    o->opcode = p[off];
    o->opcode_off = (u8)off;
    return decode_legacy(p, off + 1, d, o);
}

/* All that may stand before an opcode, when it is more than one REX. */
static bool decode_prefixed(const u8 *p, u32 off, struct x86_insn *o)
{
    u32 d = map_1[p[off]];

    while (d & D_PREFIX) {
        u32 class = D_GET_ROW(d);

        if (class >= PFX_ESCAPES)
            return decode_escape(p, off, class, o);
        take_prefix(p[off], class, o);
        if (++off == MAX_LEN)
            return give_up(o, MAX_LEN + 1);
        d = map_1[p[off]];
    }
    return decode_one_byte(p, off, d, o);
}

static inline bool decode_at(const u8 *p, struct x86_insn *o)
{
    u32 is_rex = (p[0] & 0xf0) == 0x40, d;

    o->rex = is_rex ? p[0] : 0;
    d = map_1[p[is_rex]];
    if (LIKELY(!(d & D_PREFIX)))
        return decode_one_byte(p, is_rex, d, o);
    if (D_GET_ROW(d) == PFX_0F)
        return decode_escaped(p, is_rex + 1, o);
    return decode_prefixed(p, is_rex, o);
}

bool x86_decode_padded(const u8 *p, u32 avail, struct x86_insn *out)
{
    bool ok;

    *out = (struct x86_insn){ .vvvv = 0xff };
    ok = decode_at(p, out);
    if (UNLIKELY(out->len > avail && avail < MAX_LEN))
        return give_up(out, 0);
    if (UNLIKELY(out->len > MAX_LEN))
        return give_up(out, MAX_LEN);
    return ok;
}

bool x86_decode(const u8 *p, u32 avail, struct x86_insn *out)
{
    u8 copy[WINDOW] = { 0 };

    if (LIKELY(avail >= WINDOW))
        return x86_decode_padded(p, avail, out);
    for (u32 i = 0; i < avail; i++)
        copy[i] = p[i];
    return x86_decode_padded(copy, avail, out);
}
