/* inline.c: see inline.h.
 *  (1) A known register may be stale in the CPU: it is loaded (materialized) before an instruction reads it.
 *  (2) Flags that a later instruction of the body reads are never folded away.
 *  (3) From the first branch on nothing is known: the ways may differ in it. */
#include "arch/x86/inline.h"

/* ---- emission ---- */
struct writer {
    struct emit *e;
    struct constants c;
    struct body_result *out;
    bool is_literal;            /* behind a branch */
    u8 *jump[MAX_BODY];         /* behind each branch whose target is still to come */
};

static void materialize(struct writer *w, u32 reg)
{
    if (!is_known(&w->c, reg))
        return;
    put_const(w->e, reg, w->c.value[reg]);
    w->c.known &= (u16)~BIT(reg);
    w->out->touched |= BIT(reg);
}

static void materialize_all(struct writer *w, u16 set)
{
    for (u32 r = 0; r < 16; r++)
        if (set >> r & 1)
            materialize(w, r);
}

static bool flags_wanted_after(const struct body *b, u32 i)
{
    u16 live = b->insn[i].u.flags_written;
    for (u32 k = i + 1; k < b->n && live; k++) {
        if (b->insn[k].is_branch || b->insn[k].u.flags_read & live)
            return true;
        live &= (u16)~b->insn[k].u.flags_killed;
    }
    return false;
}

/* The bytes before modrm: prefixes, REX with new extension bits, opcode. */
static void put_head(struct emit *e, const struct body_insn *b, u32 rex_bits, const u8 *opcode, u32 opcode_len)
{
    u32 i = 0;
    while (b->at[i] == 0x66 || b->at[i] == 0xf0 || b->at[i] == 0xf2 || b->at[i] == 0xf3 || b->at[i] == 0x64)
        put8(e, b->at[i++]);
    u32 r = (b->x.rex & 8u) | rex_bits;
    if (r || b->x.rex)
        put8(e, (u8)(0x40 | r));
    put_bytes(e, opcode, opcode_len);
}

static u32 opcode_start(const struct body_insn *b) { return b->x.map == X86_MAP_0F ? b->x.opcode_off - 1u : b->x.opcode_off; }

/* Where the operand lies if it lies at one place. */
static bool constant_address(const struct writer *w, const struct body_insn *b, u64 *out)
{
    struct x86_operand o;
    x86_operand(&b->x, &o);
    if (b->x.rip_rel) {
        *out = b->rip_operand;
        return true;
    }
    if ((o.base >= 0 && !is_known(&w->c, (u32)o.base)) || (o.index >= 0 && !is_known(&w->c, (u32)o.index)))
        return false;
    *out = (u64)o.disp + (o.base >= 0 ? w->c.value[o.base] : 0) + (o.index >= 0 ? w->c.value[o.index] * o.scale : 0);
    return true;
}

/* rip-relative reaches it from here, whatever the instruction's length */
static bool is_near(const struct emit *e, u64 at)
{
    s64 d = (s64)(at - (u64)e->p);
    return d > -0x7fffff00ll && d < 0x7fffff00ll;
}

/* modrm .. immediate with the memory operand at a constant address. tail: bytes of immediate that follow. */
static void put_constant_operand(struct emit *e, u32 reg, u64 at, bool is_fs, const void *imm, u32 tail)
{
    put8(e, modrm(0, reg, is_fs ? 4 : 5));
    if (is_fs) {                                      /* an offset, not an address: [disp32] */
        put8(e, 0x25);
        put32(e, (u32)at);
    } else {
        put32(e, (u32)(at - ((u64)e->p + 4 + tail)));
    }
    put_bytes(e, imm, tail);
}

/* modrm .. displacement as they are, then an immediate. */
static void put_same_operand(struct emit *e, const struct body_insn *b, u32 reg, const void *imm, u32 tail)
{
    u32 from = b->x.modrm_off + 1u, to = b->x.disp_off ? b->x.disp_off + b->x.disp_size : from;
    if (b->x.has_mem && (b->x.modrm & 7) == 4 && to < from + 1)
        to = from + 1;
    put8(e, modrm(b->x.modrm >> 6, reg, b->x.modrm));
    put_bytes(e, b->at + from, to - from);
    put_bytes(e, imm, tail);
}

struct form { u8 opcode[3]; u32 n; u32 reg; const void *imm; u32 tail; bool reg_is_digit; };

/* One instruction with a modrm operand, in the given form. */
static void put_form(struct writer *w, const struct body_insn *b, const struct form *f)
{
    u64 at;
    u32 r_bit = f->reg_is_digit ? 0 : (f->reg >> 3 & 1) << 2;
    bool fs = b->x.seg == X86_SEG_FS;
    if (b->x.has_mem && constant_address(w, b, &at) && (fs ? at == (u64)(s64)(s32)at : is_near(w->e, at))) {
        put_head(w->e, b, r_bit, f->opcode, f->n);
        put_constant_operand(w->e, f->reg, at, fs, f->imm, f->tail);
        return;
    }
    struct x86_operand o;
    x86_operand(&b->x, &o);
    if (!b->x.has_mem)
        materialize(w, x86_rm_of(&b->x));
    else if (o.base >= 0)
        materialize(w, (u32)o.base);
    if (b->x.has_mem && o.index >= 0)
        materialize(w, (u32)o.index);
    put_head(w->e, b, r_bit | (b->x.rex & 3u), f->opcode, f->n);
    put_same_operand(w->e, b, f->reg, f->imm, f->tail);
}

/* op r/m, reg and mov r/m, reg with a known register: the immediate form. */
static bool put_as_immediate(struct writer *w, const struct body_insn *b)
{
    const struct x86_insn *x = &b->x;
    u32 reg = x86_reg_of(x);
    bool is_alu = x->map == X86_MAP_1 && x->opcode < 0x40 && (x->opcode & 7) == 1, is_mov = x->map == X86_MAP_1 && x->opcode == 0x89;
    if ((!is_alu && !is_mov) || !is_known(&w->c, reg) || x->opsize16 || x->seg == X86_SEG_GS)
        return false;
    s64 v = x->rex & 8 ? (s64)w->c.value[reg] : (s32)w->c.value[reg];
    if (v != (s32)v || (!x->has_mem && is_known(&w->c, x86_rm_of(x)) && x86_rm_of(x) == reg))
        return false;
    s32 imm = (s32)v;
    bool small = is_alu && v == (int8_t)v;
    struct form f = { { is_mov ? 0xc7 : small ? 0x83 : 0x81 }, 1, is_mov ? 0 : x->opcode >> 3, &imm, small ? 1 : 4, true };
    put_form(w, b, &f);
    return true;
}

/* The instruction as it is, but for its memory operand. */
static void put_plain(struct writer *w, const struct body_insn *b)
{
    const struct x86_insn *x = &b->x;
    if (!x->has_modrm || !x->has_mem) {
        materialize_all(w, b->u.reads);
        put_bytes(w->e, b->at, x->len);
        return;
    }
    struct x86_operand o;
    x86_operand(x, &o);
    u16 in_address = (u16)((o.base >= 0 ? BIT(o.base) : 0) | (o.index >= 0 ? BIT(o.index) : 0));
    u32 reg = x86_reg_of(x);
    materialize_all(w, (u16)(b->u.reads & ~in_address));
    if (in_address >> reg & 1)                       /* perhaps an operand of its own as well */
        materialize(w, reg);
    struct form f = { .n = x->modrm_off - opcode_start(b), .reg = reg, .imm = b->at + x->len - x->imm_size, .tail = x->imm_size };
    memcpy(f.opcode, b->at + opcode_start(b), f.n);
    if (!(x->rex & 4))
        f.reg = x->modrm >> 3 & 7;
    put_form(w, b, &f);
}

static void put_insn(struct writer *w, const struct body_insn *b)
{
    u16 kept = (u16)(b->u.writes & ~b->u.kills);     /* written in part: the rest must be there */
    materialize_all(w, kept);
    if (!put_as_immediate(w, b))
        put_plain(w, b);
    w->c.known &= (u16)~b->u.writes;
    w->out->touched |= b->u.writes;
    w->out->clobbers_flags |= b->u.flags_written != 0;
}

/* setcc al as the last word, in a register that is zero otherwise or is made so */
static bool ends_in_condition(const struct body *b, u32 i, const struct constants *c)
{
    const struct x86_insn *x = &b->insn[i].x;
    if (x->map != X86_MAP_0F || (x->opcode & 0xf0) != 0x90 || x->modrm != 0xc0 || x->rex & 1)
        return false;
    if (i + 1 == b->n)
        return is_known(c, RAX) && c->value[RAX] < 256;
    const struct x86_insn *next = &b->insn[i + 1].x;
    return i + 2 == b->n && next->map == X86_MAP_0F && next->opcode == 0xb6 && next->modrm == 0xc0 && !(next->rex & 5) && !next->opsize16;
}

/* ---- branches: forward only ---- */
static void put_branch(struct writer *w, const struct body *b, u32 i, enum wanted_result want)
{
    u16 read = want != WANTS_NONE ? BIT(RAX) : 0;
    for (u32 k = i + 1; k < b->n; k++)
        read |= (u16)(b->insn[k].u.reads | (b->insn[k].u.writes & ~b->insn[k].u.kills));
    materialize_all(w, read);
    w->c.known = 0;
    w->is_literal = true;
    w->jump[i] = b->insn[i].cc == ALWAYS ? put_jump_forward(w->e) : put_jcc_forward(w->e, b->insn[i].cc);
}

static void come_to(struct writer *w, const struct body *b, u32 i)
{
    for (u32 k = 0; k < i; k++)
        if (b->insn[k].is_branch && b->insn[k].to == i)
            patch_forward(w->e, w->jump[k]);
}

void x86_emit_body(struct emit *e, const struct body *b, struct constants c, enum wanted_result want, struct body_result *out)
{
    struct writer w = { .e = e, .c = c, .out = out };
    *out = (struct body_result){ .wanted = (u16)(b->reads & ~c.known) };
    for (u32 i = 0; i < b->n; i++) {
        come_to(&w, b, i);
        if (b->insn[i].is_branch) {
            put_branch(&w, b, i, want);
            continue;
        }
        if (want == WANTS_TRUTH && !b->has_branches && ends_in_condition(b, i, &w.c)) {
            out->is_condition = true;
            out->cc = b->insn[i].x.cc;
            return;
        }
        if (w.is_literal || flags_wanted_after(b, i) || !x86_fold(&b->insn[i].x, &w.c))
            put_insn(&w, &b->insn[i]);
    }
    come_to(&w, b, b->n);
    if (want != WANTS_NONE)
        materialize(&w, RAX);
}
