/* lower.c: make a plain instruction run at another address.
 *
 * Most are copied as they are. What cannot be:
 *  - rip-relative operands: the cache is too far away for a displacement. The address goes into r11 if that is the engine's
 *    (r11.h), else into a scratch register; below 2 GB (non-PIE programs) into the instruction itself.
 *  - fs: becomes gs:, which holds the application's FS base (same length). gs: operands are rare and are computed.
 *  - rdfsbase and friends follow that exchange.
 *
 *  (1) A scratch register's true value is in spill slot 0 (or 1) from before the first change until after the last
 *      instruction that can fault; e->restore says so for the whole sequence.
 *  (2) The sequence changes nothing else that the application can see, flags included. */
#include "arch/x86/park.h"
#include "arch/x86/r11.h"
#include "arch/x86/restore.h"
#include "base/panic.h"

s32 x86_tls;

/* Scratch registers for a rewritten operand: encodable as a plain base without REX, SIB or displacement. */
static const u8 scratch_order[] = { RSI, RDI, RDX, RCX, RAX, RBX };

/* cmpxchg8b has four registers of its own and perhaps two in its operand: of those, one may hold the operand's address. */
static u32 pick_base(u16 taken)
{
    for (u32 i = 0; i < sizeof scratch_order; i++)
        if (!(taken >> scratch_order[i] & 1))
            return scratch_order[i];
    return RDI;
}

/* For an index or a value, any register but rsp and r11 will do. */
static u32 pick_second(u16 taken)
{
    static const u8 more[] = { R8, R9, R10, RBP };
    for (u32 i = 0; i < sizeof scratch_order; i++)
        if (!(taken >> scratch_order[i] & 1))
            return scratch_order[i];
    for (u32 i = 0; i < sizeof more; i++)
        if (!(taken >> more[i] & 1))
            return more[i];
    ct_assert(false, "an instruction uses nearly every register (%x)", taken);
    return 0;
}

static u32 pick_scratch(u16 taken)
{
    for (u32 i = 0; i < sizeof scratch_order; i++)
        if (!(taken >> scratch_order[i] & 1))
            return scratch_order[i];
    ct_assert(false, "an instruction uses every scratch register (%x)", taken);
    return 0;
}

/* Where the escape bytes or the VEX, EVEX, XOP prefix begin. In front of it are legacy prefixes, an effective REX, and
 * REX bytes that the CPU ignores because something follows them. */
static u32 opcode_start(const struct x86_insn *x)
{
    switch (x->enc) {
    case X86_ENC_EVEX: return x->opcode_off - 4u;
    case X86_ENC_XOP: return x->opcode_off - 3u;
    case X86_ENC_3DNOW: return x->modrm_off - 2u;            /* its opcode comes last */
    case X86_ENC_VEX: return x->opcode_off - x->vex_len;
    default: return x->opcode_off - (x->map == X86_MAP_1 ? 0u : x->map == X86_MAP_0F ? 1u : 2u);
    }
}

static bool is_legacy_prefix(u8 b) { return b == 0x66 || b == 0x67 || b == 0xf0 || b == 0xf2 || b == 0xf3; }

/* Prefixes without segment overrides and, unless keep_addr32, without 67. */
static void put_prefixes(struct emit *e, const struct insn *in, bool keep_addr32)
{
    for (u32 i = 0; i < opcode_start(&in->a.x); i++) {
        u8 b = in->bytes[i];
        if (is_legacy_prefix(b) && (b != 0x67 || keep_addr32))
            put8(e, b);
    }
}

/* VEX in two bytes has no room for an extended base: the same in three. */
static u32 widen_vex(u8 *buf, u32 n)
{
    memmove(buf + 3, buf + 2, n - 2);
    buf[2] = buf[1] & 0x7f;
    buf[1] = (u8)((buf[1] & 0x80) | 0x61);        /* R; X and B inverted; map 0F */
    buf[0] = 0xc4;
    return n + 1;
}

/* From REX, VEX or EVEX to the opcode, for a new base register and no index. */
static void put_opcode_part(struct emit *e, const struct insn *in, u32 base)
{
    const struct x86_insn *x = &in->a.x;
    u8 buf[17];
    u32 at = opcode_start(x), n = x->modrm_off - at;
    memcpy(buf, in->bytes + at, n);
    if (x->enc == X86_ENC_LEGACY || x->enc == X86_ENC_3DNOW) {
        u8 r = (u8)((x->rex & ~3) | base >> 3);
        if (r)
            put8(e, 0x40 | r);
    } else {
        if (buf[0] == 0xc5 && base >= 8)
            n = widen_vex(buf, n);
        if (buf[0] != 0xc5)
            buf[1] = (u8)((buf[1] | 0x60) ^ base >> 3 << 5);     /* inverted X and B */
    }
    put_bytes(e, buf, n);
}

static void put_immediate(struct emit *e, const struct insn *in)
{
    put_bytes(e, in->bytes + in->len - in->a.x.imm_size, in->a.x.imm_size);
}

/* The instruction with its memory operand replaced by [base]. */
static void put_based(struct emit *e, const struct insn *in, u32 base, bool keep_fs, bool keep_addr32)
{
    if (keep_fs)
        put8(e, 0x65);
    put_prefixes(e, in, keep_addr32);
    put_opcode_part(e, in, base);
    put8(e, modrm(0, in->a.x.modrm >> 3, base));
    put_immediate(e, in);
}

/* The same with [disp32]: reaches the lower 2 GB (and, sign-extended, the upper); all of the 4 GB that 67 leaves. */
static void put_absolute(struct emit *e, const struct insn *in, u32 address, bool by_gs)
{
    if (by_gs)
        put8(e, 0x65);
    put_prefixes(e, in, true);
    put_opcode_part(e, in, 0);
    put8(e, modrm(0, in->a.x.modrm >> 3, 4));
    put8(e, 0x25);
    put32(e, address);
    put_immediate(e, in);
}

/* mov between rax and an address in the instruction, of 8 bytes, or 4 with a 67 prefix. */
static bool is_moffs(const struct x86_insn *x) { return x->disp_size && !x->has_modrm; }

static u64 rip_address(const struct insn *in)
{
    u64 a = insn_next(in) + (u64)(s64)in->a.x.disp;
    return in->a.x.addr32 ? (u32)a : a;
}

static bool fits_absolute(u64 a) { return (s64)a == (s64)(s32)a; }

static u32 reg_field(const struct x86_insn *x) { return (u32)(x->modrm >> 3 & 7) | (x->rex & 4) << 1; }

/* Registers that the instruction names or implies. Where that is not known exactly, those are taken that instructions imply. */
static u16 registers_of(const struct insn *in, struct x86_usage *u)
{
    x86_usage(&in->a.x, u);
    if (!u->exact)
        return (u16)(1u << RSP | 1u << RAX | 1u << RDX | 1u << RCX | 1u << RBX | 1u << reg_field(&in->a.x));
    return (u16)(u->reads | u->writes | 1u << RSP);
}

/* lea reg, [rip+x] is a constant. */
static bool lower_lea(struct emit *e, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    if (!(x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 && x->opcode == 0x8d) || x->opsize16)
        return false;
    u64 a = rip_address(in);
    put_const(e, reg_field(x), x->rex & 8 ? a : (u32)a);
    return true;
}

/* ah, ch, dh, bh cannot be named together with an extended register. */
static bool names_high_byte(const struct x86_insn *x)
{
    if (x->enc != X86_ENC_LEGACY || x->rex || (x->modrm >> 3 & 7) < 4)
        return false;
    u8 op = x->opcode;
    if (x->map == X86_MAP_0F)
        return op == 0xb0 || op == 0xc0;
    return x->map == X86_MAP_1 && (op < 0x40 ? !(op & 5) : op == 0x84 || op == 0x86 || op == 0x88 || op == 0x8a);
}

/* In a bound trace the parked register is free, r11 is not. rsp, rbp and their like cannot be the only base. */
static bool x86_bases_on_parked(const struct emit *e, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    return x86_is_bound(e) && (x86_parked(e) & 6) != 4 && x->rip_rel && x->kind == X86_PLAIN && in->kind == INSN_PLAIN &&
           x->seg != X86_SEG_GS && !names_high_byte(x);
}

bool x86_keeps_r11(const struct emit *e, const struct insn *in) { return x86_is_copied(in) || x86_bases_on_parked(e, in); }

static void lower_rip_relative(struct emit *e, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    u64 a = rip_address(in);
    bool fs = x->seg == X86_SEG_FS;
    if (lower_lea(e, in))
        return;
    if (fits_absolute(a) && in->len < arch_info.max_insn_len) {   /* it takes a byte more */
        put_absolute(e, in, (u32)a, fs);
        return;
    }
    if (x86_bases_on_parked(e, in)) {
        u32 base = x86_lend_parked_as(e, a);
        put_based(e, in, base, fs, x->addr32);
        return;
    }
    if (x86_owns_r11(e) && !names_high_byte(x)) {
        put_const(e, R11, a);
        put_based(e, in, R11, fs, x->addr32);
        return;
    }
    struct x86_usage u;
    u16 used = registers_of(in, &u);
    /* A register that the instruction overwrites without reading it needs no reload. */
    u16 killed = (u16)(u.kills & ~u.reads & (1u << RAX | 1u << RCX | 1u << RDX | 1u << RBX | 1u << RSI | 1u << RDI));
    u32 s = killed ? (u32)__builtin_ctz(killed) : pick_scratch(used);
    put_store_tls(e, s, AT_SLOT(0));
    put_const(e, s, a);
    put_based(e, in, s, fs, x->addr32);
    if (!killed)
        put_load_tls(e, s, AT_SLOT(0));
    e->restore = RESTORE(0, s);
}

/* op reg, [operand]: the operand's bytes behind another opcode. Segment prefixes are left to the caller. */
static void put_operand(struct emit *e, const struct insn *in, u8 op, u32 reg)
{
    const struct x86_insn *x = &in->a.x;
    if (x->addr32)
        put8(e, 0x67);
    put8(e, (u8)(0x48 | (x->rex & 3) | (reg >> 3 & 1) << 2));
    put8(e, op);
    put8(e, modrm(x->modrm >> 6, reg, x->modrm));
    if (x->enc == X86_ENC_EVEX && x->disp_size == 1) {       /* a compressed displacement means something else here */
        e->p[-1] = modrm(2, reg, x->modrm);
        if ((x->modrm & 7) == 4)
            put8(e, in->bytes[x->modrm_off + 1]);
        put32(e, (u32)x->disp);
        return;
    }
    u32 from = x->modrm_off + 1u, to = x->disp_off ? x->disp_off + x->disp_size : from;
    if ((x->modrm & 7) == 4 && to < from + 1)
        to = from + 1;                            /* a SIB byte without displacement */
    put_bytes(e, in->bytes + from, to - from);
}

void put_with_operand(struct emit *e, const struct insn *in, u8 op, u32 reg)
{
    const struct x86_insn *x = &in->a.x;
    u64 a = rip_address(in);
    if (x->seg == X86_SEG_FS)
        put8(e, 0x65);
    if (!x->rip_rel) {
        put_operand(e, in, op, reg);
        return;
    }
    if (fits_absolute(a)) {
        put8(e, rex(1, reg, 0, 0));
        put8(e, op);
        put8(e, modrm(0, reg, 4));
        put8(e, 0x25);
        put32(e, (u32)a);
        return;
    }
    if (x->seg == X86_SEG_FS)
        e->p--;                                   /* the prefix belongs to the second instruction */
    put_const(e, reg, a);
    if (x->seg == X86_SEG_FS)
        put8(e, 0x65);
    ct_assert((reg & 7) != 4 && (reg & 7) != 5, "register %u cannot be a plain base", reg);
    put8(e, rex(1, reg, 0, reg));
    put8(e, op);
    put8(e, modrm(0, reg, reg));
}

/* lea reg, [operand] without its segment. */
static void put_operand_address(struct emit *e, const struct insn *in, u32 reg)
{
    const struct x86_insn *x = &in->a.x;
    if (is_moffs(x)) {
        u64 a = 0;
        memcpy(&a, in->bytes + x->disp_off, x->disp_size);
        put_const(e, reg, a);
    } else if (x->rip_rel) {
        put_const(e, reg, rip_address(in));
    } else {
        put_operand(e, in, 0x8d, reg);
    }
}

/* mov al/eax/rax, moffs (a0..a3) as the modrm form 8a, 8b, 88, 89 with [base]. */
static void put_moffs_based(struct emit *e, const struct insn *in, u32 base)
{
    static const u8 as_modrm[4] = { 0x8a, 0x8b, 0x88, 0x89 };
    put_prefixes(e, in, false);
    if (in->a.x.rex)
        put8(e, (u8)(in->a.x.rex & 0x48));
    put8(e, as_modrm[in->a.x.opcode & 3]);
    put8(e, modrm(0, RAX, base));
}

/* gs: operands. The application's GS base is a word of the thread; few programs use it. */
static void lower_gs(struct emit *e, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    struct x86_usage u;
    u16 used = registers_of(in, &u);
    u32 s = pick_base(used), s2 = pick_second((u16)(used | 1u << s));
    put_store_tls(e, s, AT_SLOT(0));
    put_store_tls(e, s2, AT_SLOT(1));
    put_operand_address(e, in, s);
    put_load_tls(e, s2, AT_APP_GS);
    put8(e, rex(1, s, s2, s));                    /* lea s, [s+s2] */
    put8(e, 0x8d);
    put8(e, modrm(0, s, 4));
    put8(e, (u8)((s2 & 7) << 3 | (s & 7)));
    if (is_moffs(x))
        put_moffs_based(e, in, s);
    else
        put_based(e, in, s, false, false);
    put_load_tls(e, s, AT_SLOT(0));
    put_load_tls(e, s2, AT_SLOT(1));
    e->restore = RESTORE(0, s) | RESTORE(1, s2);
}

void put_based_on_tls(struct emit *e, const struct insn *in, s32 field)
{
    const struct x86_insn *x = &in->a.x;
    struct x86_usage u;
    u16 used = registers_of(in, &u);
    u32 s = pick_scratch(used);
    put_store_tls(e, s, AT_SLOT(0));
    put_load_tls(e, s, field);
    if (is_moffs(x))
        put_moffs_based(e, in, s);
    else
        put_based(e, in, s, false, false);
    put_load_tls(e, s, AT_SLOT(0));
    e->restore = RESTORE(0, s);
}

/* Gathers, scatters and masked stores: the GS base is added to the base register for the time being, since the operand
 * has a vector for an index, or is not in modrm at all. */
static bool is_vsib(const struct x86_insn *x)
{
    if (x->map != X86_MAP_0F38 || (x->enc != X86_ENC_VEX && x->enc != X86_ENC_EVEX))
        return false;
    return (x->opcode >= 0x90 && x->opcode <= 0x93) || (x->opcode >= 0xa0 && x->opcode <= 0xa3) || x->opcode == 0xc6 ||
           x->opcode == 0xc7;
}

/* Operands that modrm does not name: maskmovq and maskmovdqu store through rdi, clzero through rax. -1: none. */
static int implicit_base(const struct x86_insn *x)
{
    if (x->map == X86_MAP_0F && x->opcode == 0xf7)
        return RDI;
    return x->map == X86_MAP_0F && x->opcode == 0x01 && x->modrm == 0xfc ? RAX : -1;
}

static void lower_gs_base(struct emit *e, const struct insn *in, u32 base)
{
    const struct x86_insn *x = &in->a.x;
    u32 start = opcode_start(x), s = pick_scratch((u16)(1u << base | 1u << RSP));
    put_store_tls(e, base, AT_SLOT(0));
    put_store_tls(e, s, AT_SLOT(1));
    put_load_tls(e, s, AT_APP_GS);
    if (x->addr32) {                              /* mov base, base in 32 bits: the address is cut before GS is added */
        if (base >= 8)
            put8(e, rex(0, base, 0, base));
        put8(e, 0x89);
        put8(e, modrm(3, base, base));
    }
    put8(e, rex(1, base, s, base));               /* lea base, [base+s] */
    put8(e, 0x8d);
    put8(e, modrm((base & 7) == 5 ? 1 : 0, base, 4));
    put8(e, (u8)((s & 7) << 3 | (base & 7)));
    if ((base & 7) == 5)
        put8(e, 0);
    put_prefixes(e, in, false);
    if (x->enc == X86_ENC_LEGACY && x->rex)
        put8(e, x->rex);
    put_bytes(e, in->bytes + start, in->len - start);
    put_load_tls(e, base, AT_SLOT(0));
    put_load_tls(e, s, AT_SLOT(1));
    e->restore = RESTORE(0, base) | RESTORE(1, s);
}

static bool has_hidden_operand(const struct x86_insn *x) { return is_vsib(x) || implicit_base(x) >= 0; }

/* bt and its like, the bit counted from a 32-bit address: the sum wraps before GS is added. */
static bool is_bit_wrap(const struct x86_insn *x)
{
    return x->addr32 && x->has_mem && x->enc == X86_ENC_LEGACY && x->map == X86_MAP_0F && (x->opcode & 0xe7) == 0xa3;
}

/* tileloadd, tilestored: the index register is a stride. */
static bool is_tile_access(const struct x86_insn *x)
{
    return x->enc == X86_ENC_VEX && x->map == X86_MAP_0F38 && x->opcode == 0x4b && x->has_mem;
}

/* Images of the FPU are stored and loaded in many steps; with 32-bit addresses each wraps by itself. */
static bool is_fpu_image_wrap(const struct x86_insn *x)
{
    u32 reg = x->modrm >> 3 & 7;
    if (!x->addr32 || !x->has_mem || x->enc != X86_ENC_LEGACY)
        return false;
    return x->map == X86_MAP_0F ? x->opcode == 0xae || x->opcode == 0xc7
                                : x->map == X86_MAP_1 && (x->opcode == 0xd9 || x->opcode == 0xdd) && (reg == 4 || reg == 6);
}

/* Without a base register, or with the sum of all cut to 32 bits, there is nothing to add GS to. And rsp or rbp as the base would be the
 * stack: at an address that cannot be one the CPU raises another exception for that. */
static bool needs_real_gs(const struct x86_insn *x)
{
    if (is_tile_access(x) || is_fpu_image_wrap(x))
        return true;
    if (!is_vsib(x))
        return is_bit_wrap(x);
    u32 base = (x->sib & 7u) | (x->rex & 1u) << 3;
    return x->addr32 || base == RSP || base == RBP || ((x->sib & 7) == 5 && x->modrm >> 6 == 0);
}

static void put_gs_base(struct emit *e, bool write, u32 reg)     /* rdgsbase, wrgsbase */
{
    put8(e, 0xf3);
    put8(e, rex(1, 0, 0, reg));
    put8(e, 0x0f);
    put8(e, 0xae);
    put8(e, modrm(3, write ? 3 : 1, reg));
}

/* The GS register has the application's own base for the time of one instruction. */
static void begin_real_gs(struct emit *e, u32 s)
{
    put_store_tls(e, s, AT_SLOT(0));
    put_gs_base(e, false, s);
    put_store_tls(e, s, AT_SLOT(1));
    put_load_tls(e, s, AT_APP_GS);
    put_gs_base(e, true, s);
    put_load_tls(e, s, AT_SLOT(0));
    e->restore = RESTORE(0, s) | RESTORE(1, RESTORE_GS);
}

static void end_real_gs(struct emit *e, u32 s)
{
    put_store_tls(e, s, AT_SLOT(0));
    put_load_tls(e, s, AT_SLOT(1));
    put_gs_base(e, true, s);
    put_load_tls(e, s, AT_SLOT(0));
}

/* Relative to rip with addresses of 64 bits is none of these: what is left is an address of 32 bits. */
static void lower_real_gs(struct emit *e, const struct insn *in)
{
    begin_real_gs(e, RAX);
    if (in->a.x.rip_rel)
        put_absolute(e, in, (u32)rip_address(in), true);
    else
        put_bytes(e, in->bytes, in->len);
    end_real_gs(e, RAX);
}

/* Copy, with fs: turned into gs:. */
static void put_copy(struct emit *e, const struct insn *in)
{
    u8 *at = e->p;
    put_bytes(e, in->bytes, in->len);
    if (in->a.x.seg != X86_SEG_FS || e->is_full)
        return;
    for (u32 i = 0; i < opcode_start(&in->a.x); i++)
        if (at[i] == 0x64)
            at[i] = 0x65;
}

/* wrgsbase: it is performed, since it may fault, and undone. */
static void lower_wrgsbase(struct emit *e, const struct insn *in, u32 reg)
{
    u32 s = reg == RAX ? RCX : RAX;
    begin_real_gs(e, s);
    put_bytes(e, in->bytes, in->len);
    put_store_tls(e, s, AT_SLOT(0));
    put_gs_base(e, false, s);
    put_store_tls(e, s, AT_APP_GS);
    put_load_tls(e, s, AT_SLOT(1));
    put_gs_base(e, true, s);
    put_load_tls(e, s, AT_SLOT(0));
}

/* rd/wr fs/gs base: modrm.reg is 0 rdfs, 1 rdgs, 2 wrfs, 3 wrgs. */
static void put_base(struct emit *e, u8 op, u32 reg, bool wide, s32 field)
{
    put8(e, 0x64);
    put8(e, rex(wide, reg, 0, 0));
    put8(e, op);
    put8(e, modrm(0, reg, 4));
    put8(e, 0x25);
    put32(e, (u32)(x86_tls + field));
    if (op == 0x89 && !wide)                      /* a base of 32 bits is zero-extended */
        put_store_const(e, 0, field + 4);
}

static void lower_fsgsbase(struct emit *e, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    u32 what = x->modrm >> 3 & 3, reg = (u32)(x->modrm & 7) | (x->rex & 1) << 3;
    bool wide = x->rex & 8;
    if (!(what & 1)) {                            /* fs -> gs: one bit of modrm */
        u8 *at = e->p;
        put_bytes(e, in->bytes, in->len);
        if (!e->is_full)
            at[x->modrm_off] |= 1 << 3;
        if (what == 2 && instr_is_on())        /* arch_entry */
            put_base(e, 0x89, reg, wide, (s32)offsetof(struct arch_thread, fs_copy));
        return;
    }
    if (what == 3)
        lower_wrgsbase(e, in, reg);
    else
        put_base(e, 0x8b, reg, wide, AT_APP_GS);
}

static bool is_string_op(const struct x86_insn *x)
{
    return x->map == X86_MAP_1 && x->enc == X86_ENC_LEGACY &&
           ((x->opcode >= 0xa4 && x->opcode <= 0xa7) || (x->opcode >= 0xaa && x->opcode <= 0xaf) || x->opcode == 0xd7);
}

bool x86_is_copied(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    return in->kind == INSN_PLAIN && x->kind == X86_PLAIN && !x->rip_rel && x->seg != X86_SEG_GS && !arch_is_repeated(in);
}

void arch_emit_plain(struct emit *e, const struct insn *list, u32 i, u32 n)
{
    const struct insn *in = &list[i];
    const struct x86_insn *x = &in->a.x;
    e->restore = 0;
    if (x->kind == X86_FSGSBASE)
        lower_fsgsbase(e, in);
    else if (x->seg == X86_SEG_GS && needs_real_gs(x))
        lower_real_gs(e, in);
    else if (x->seg == X86_SEG_GS && has_hidden_operand(x))
        lower_gs_base(e, in, implicit_base(x) >= 0 ? (u32)implicit_base(x) : (u32)(x->sib & 7) | (x->rex & 1) << 3);
    else if (x->seg == X86_SEG_GS && (x->has_mem || is_moffs(x)) && !x->is_lea && !is_string_op(x))
        lower_gs(e, in);
    else if (x->rip_rel)
        lower_rip_relative(e, in);
    else
        put_copy(e, in);
    if (arch_ends_trace(in))                      /* popf: should it set the trap flag, the CPU traps behind this */
        put_nops(e, 1);
}
