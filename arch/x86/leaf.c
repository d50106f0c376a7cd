/* leaf.c: short routines that stand in the trace of their caller (engine/jit/trace.c). */
#include "arch/x86/landing.h"

static bool reads_only_map1(const struct x86_insn *x)
{
    u32 reg = x->modrm >> 3 & 7;
    switch (x->opcode) {
    case 0x02: case 0x03: case 0x0a: case 0x0b: case 0x12: case 0x13: case 0x1a: case 0x1b:     /* add, or, ... to a register */
    case 0x22: case 0x23: case 0x2a: case 0x2b: case 0x32: case 0x33: case 0x38 ... 0x3b:       /* ..., cmp */
    case 0x63: case 0x69: case 0x6b: case 0x84: case 0x85: case 0x8a: case 0x8b: return true;   /* movsxd, imul, test, mov */
    case 0x80: case 0x81: case 0x83: return reg == 7;                                          /* cmp */
    case 0xf6: case 0xf7: return reg <= 1;                                                     /* test */
    default: return false;
    }
}

static bool reads_only_map0f(const struct x86_insn *x)
{
    switch (x->opcode) {
    case 0x10: case 0x28: case 0x2a: case 0x2c ... 0x2f: case 0x40 ... 0x4f: case 0x51 ... 0x6f: case 0x74 ... 0x76: case 0xa3:
    case 0xaf: case 0xb6 ... 0xb8: case 0xbc ... 0xbf: return true;
    case 0x7e: return x->rep == 0xf3;             /* movq from memory; the others are to memory */
    default: return false;
    }
}

/* Does it surely write no memory? What is not known may. */
static bool writes_no_memory(const struct x86_insn *x, const struct x86_usage *u)
{
    if (!u->touches_memory)
        return true;
    if (!x->has_mem || x->lock || x->enc != X86_ENC_LEGACY)
        return false;
    return x->map == X86_MAP_1 ? reads_only_map1(x) : x->map == X86_MAP_0F && reads_only_map0f(x);
}

enum leaf_part arch_leaf_part(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    struct x86_usage u;
    if (in->kind == INSN_RET)
        return x->imm_size || x->opsize16 ? LEAF_NO : LEAF_RETURN;
    if (in->kind != INSN_PLAIN || x->kind != X86_PLAIN || arch_sets_odd_flags(in))
        return LEAF_NO;
    x86_usage(x, &u);
    return u.exact && !(u.writes >> RSP & 1) && writes_no_memory(x, &u) ? LEAF_BODY : LEAF_NO;
}

/* endbr64, or none; then push, or sub rsp. */
bool arch_begins_frame(const u8 *p)
{
    u32 w;
    memcpy(&w, p, 4);
    if (w == 0xfa1e0ff3) {
        p += 4;
        memcpy(&w, p, 4);
    }
    bool is_extended = p[0] == 0x41;
    return (p[is_extended] & 0xf8) == 0x50 || (w & 0xfffdff) == 0xec8148;
}

bool arch_transfer_slot(const struct insn *in, addr_t *slot)
{
    const struct x86_insn *x = &in->a.x;
    if ((in->kind != INSN_JUMP_IND && in->kind != INSN_CALL_IND) || !x->rip_rel || x->seg || x->addr32 || x->opsize16)
        return false;
    *slot = insn_next(in) + (addr_t)(s64)x->disp;
    return true;
}

u8 x86_own_kind(const struct insn *in)
{
    switch (in->a.x.kind) {
    case X86_CALL: return INSN_CALL;
    case X86_CALL_IND: return INSN_CALL_IND;
    case X86_JMP_IND: return INSN_JUMP_IND;
    case X86_RET: return INSN_RET;
    default: return in->kind;
    }
}

void arch_unresolve(struct insn *in)
{
    if (in->a.x.kind != X86_JMP_IND && in->a.x.kind != X86_CALL_IND)
        return;
    in->kind = x86_own_kind(in);
    in->target = 0;
}

bool arch_is_return(const struct insn *in) { return in->a.x.kind == X86_RET; }

void arch_emit_followed(struct emit *e, const struct insn *in)
{
    if (in->a.x.kind == X86_CALL || in->a.x.kind == X86_CALL_IND)
        put_push_const(e, insn_next(in));
    else if (in->a.x.kind == X86_RET)
        put_drop_word(e);
}
