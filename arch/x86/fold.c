/* fold.c: instructions on known values, as the CPU would work them out. 32 and 64 bits only; narrower ones are emitted. */
#include "arch/x86/inline.h"

void x86_operand(const struct x86_insn *x, struct x86_operand *o)
{
    u32 mod = x->modrm >> 6, rm = x->modrm & 7;
    *o = (struct x86_operand){ -1, -1, 1, x->disp };
    if (rm != 4) {
        if (!x->rip_rel)
            o->base = (int)x86_rm_of(x);
        return;
    }
    u32 index = (u32)(x->sib >> 3 & 7) | (u32)(x->rex & 2) << 2;
    if (!((x->sib & 7) == 5 && mod == 0))
        o->base = (int)((u32)(x->sib & 7) | (u32)(x->rex & 1) << 3);
    if (index != 4)
        o->index = (int)index;
    o->scale = 1u << (x->sib >> 6);
}

static u64 cut(const struct x86_insn *x, u64 v) { return x->rex & 8 ? v : (u32)v; }

static bool set(const struct x86_insn *x, struct constants *c, u32 reg, u64 v)
{
    c->known |= BIT(reg);
    c->value[reg] = cut(x, v);
    return true;
}

/* add or adc sbb and sub xor cmp by number; false: not one that is folded */
static bool alu(u32 which, u64 a, u64 b, u64 *r)
{
    switch (which) {
    case 0: *r = a + b; return true;
    case 1: *r = a | b; return true;
    case 4: *r = a & b; return true;
    case 5: *r = a - b; return true;
    case 6: *r = a ^ b; return true;
    default: return false;
    }
}

static bool fold_alu(const struct x86_insn *x, struct constants *c)
{
    u32 reg = x86_reg_of(x), rm = x86_rm_of(x), which = x->opcode >> 3;
    bool to_reg = x->opcode & 2;
    u64 r;
    if (which == 6 && reg == rm)                     /* xor r, r */
        return set(x, c, reg, 0);
    if (!is_known(c, reg) || !is_known(c, rm))
        return false;
    u64 a = c->value[to_reg ? reg : rm], b = c->value[to_reg ? rm : reg];
    return alu(which, a, b, &r) && set(x, c, to_reg ? reg : rm, r);
}

static bool fold_alu_imm(const struct x86_insn *x, struct constants *c)
{
    u32 rm = x86_rm_of(x);
    u64 r;
    return is_known(c, rm) && alu(x->modrm >> 3 & 7, c->value[rm], (u64)x->imm, &r) && set(x, c, rm, r);
}

static bool fold_shift(const struct x86_insn *x, struct constants *c, u32 by)
{
    u32 rm = x86_rm_of(x);
    bool wide = x->rex & 8;
    by &= wide ? 63 : 31;
    if (!is_known(c, rm))
        return false;
    u64 v = cut(x, c->value[rm]);
    switch (x->modrm >> 3 & 7) {
    case 4: case 6: return set(x, c, rm, v << by);
    case 5: return set(x, c, rm, v >> by);
    case 7: return set(x, c, rm, wide ? (u64)((s64)v >> by) : (u64)((s32)v >> by));
    default: return false;
    }
}

static bool fold_lea(const struct x86_insn *x, struct constants *c)
{
    struct x86_operand o;
    x86_operand(x, &o);
    if (x->rip_rel || x->addr32 || (o.base >= 0 && !is_known(c, (u32)o.base)) || (o.index >= 0 && !is_known(c, (u32)o.index)))
        return false;
    u64 v = (u64)o.disp;
    if (o.base >= 0)
        v += c->value[o.base];
    if (o.index >= 0)
        v += c->value[o.index] * o.scale;
    return set(x, c, x86_reg_of(x), v);
}

static bool fold_move(const struct x86_insn *x, struct constants *c, u32 to, u32 from)
{
    return is_known(c, from) && set(x, c, to, c->value[from]);
}

/* movzx, movsx of a register's low part; without REX the byte registers 4..7 are ah and so on */
static bool fold_extend(const struct x86_insn *x, struct constants *c)
{
    u32 rm = x86_rm_of(x);
    if (!is_known(c, rm) || (!(x->opcode & 1) && !x->rex && rm >= 4))
        return false;
    u64 v = c->value[rm];
    switch (x->opcode) {
    case 0xb6: v = (u8)v; break;
    case 0xb7: v = (u16)v; break;
    case 0xbe: v = (u64)(s64)(int8_t)v; break;
    default: v = (u64)(s64)(int16_t)v; break;
    }
    return set(x, c, x86_reg_of(x), v);
}

static bool fold_map_1(const struct x86_insn *x, struct constants *c)
{
    u8 op = x->opcode;
    u32 embedded = (u32)(op & 7) | (u32)(x->rex & 1) << 3;
    if (op >= 0xb8 && op <= 0xbf)
        return set(x, c, embedded, (u64)x->imm);
    if (op == 0x8d)
        return fold_lea(x, c);
    if (op == 0x98 && is_known(c, RAX))              /* cwde, cdqe */
        return set(x, c, RAX, x->rex & 8 ? (u64)(s64)(s32)c->value[RAX] : (u64)(s64)(int16_t)c->value[RAX]);
    if (x->has_mem || !x->has_modrm)
        return false;
    if (op < 0x40 && ((op & 7) == 1 || (op & 7) == 3))
        return fold_alu(x, c);
    switch (op) {
    case 0x89: return fold_move(x, c, x86_rm_of(x), x86_reg_of(x));
    case 0x8b: return fold_move(x, c, x86_reg_of(x), x86_rm_of(x));
    case 0x63: return is_known(c, x86_rm_of(x)) && set(x, c, x86_reg_of(x), (u64)(s64)(s32)c->value[x86_rm_of(x)]);
    case 0x81: case 0x83: return fold_alu_imm(x, c);
    case 0xc1: return fold_shift(x, c, (u8)x->imm);
    case 0xd1: return fold_shift(x, c, 1);
    case 0xc7: return set(x, c, x86_rm_of(x), (u64)x->imm);
    case 0x69: case 0x6b:
        return is_known(c, x86_rm_of(x)) && set(x, c, x86_reg_of(x), c->value[x86_rm_of(x)] * (u64)x->imm);
    default: return false;
    }
}

bool x86_fold(const struct x86_insn *x, struct constants *c)
{
    if (x->enc != X86_ENC_LEGACY || x->opsize16 || x->rep || x->lock)
        return false;
    if (x->map == X86_MAP_1)
        return fold_map_1(x, c);
    if (x->map != X86_MAP_0F || x->has_mem)
        return false;
    if (x->opcode == 0xb6 || x->opcode == 0xb7 || x->opcode == 0xbe || x->opcode == 0xbf)
        return fold_extend(x, c);
    return false;
}
