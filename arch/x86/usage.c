/* usage.c: which general registers and flags an instruction reads, may write, and surely overwrites.
 *
 *  (1) Unsure means: everything is read, everything may be written, nothing is killed.
 *  (2) Nothing is both read and killed.
 *  (3) A write narrower than 32 bits keeps the rest of the register and never kills. */
#include "arch/x86/decode.h"
#include "arch/x86/usage_tables.h"

enum { REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1 };

/* ---- Look-up ---- */

static u32 vector_table(const struct x86_insn *in)
{
    switch (in->enc) {
    case X86_ENC_VEX:
        return USE_VEX_0F + in->map - X86_MAP_0F;
    case X86_ENC_EVEX:
        return USE_EVEX_0F + in->map - X86_MAP_0F;
    case X86_ENC_XOP:
        return USE_XOP;
    default:
        return USE_0F38 + in->map - X86_MAP_0F38;
    }
}

/* 0f 01 with a register operand: every modrm is an instruction of its own. */
static u16 entry_0f01(u32 modrm)
{
    switch (modrm) {
    case 0xd0: return O(RD_BY_ECX);      /* xgetbv */
    case 0xd6: return F(F_ALL_SET);      /* xtest */
    case 0xf9: return O(RDTSCP);
    default:   return (modrm & 0x38) == 0x20 ? O(EN_W) : u_;       /* smsw */
    }
}

static u16 first_entry(const struct x86_insn *in)
{
    if (in->enc == X86_ENC_3DNOW)
        return n_;
    if (in->enc != X86_ENC_LEGACY || in->map > X86_MAP_0F)
        return use_vector[vector_table(in)][in->opcode];
    if (in->map == X86_MAP_0F)
        return in->opcode == 1 && in->modrm >= 0xc0 ? entry_0f01(in->modrm) : use_0f[in->opcode];
    if (UNLIKELY(in->opcode == 0x90 && !(in->rex & REX_B)))
        return n_;                       /* nop, pause */
    if (UNLIKELY(in->opcode == 0xc6 && in->modrm == 0xf8))
        return u_;                       /* xabort */
    return use_1[in->opcode];
}

static u16 find_entry(const struct x86_insn *in)
{
    u16 e = first_entry(in);
    u32 pp = in->rep ? (in->rep == 0xf3 ? 2 : 3) : in->opsize16;

    if (ENTRY_FORM(e) >= FIRST_GROUP && ENTRY_FORM(e) < FIRST_PP)
        e = groups[ENTRY_FORM(e) - FIRST_GROUP][in->modrm >= 0xc0][in->modrm >> 3 & 7];
    if (ENTRY_FORM(e) >= FIRST_PP)
        e = by_prefix[ENTRY_FORM(e) - FIRST_PP][pp];
    return e;
}

/* ---- Registers ---- */

static bool operand_is_wide(const struct x86_insn *in)
{
    return !in->opsize16 || (in->rex & REX_W);
}

static void use_register(const struct x86_insn *in, u32 access, u32 number, struct x86_usage *out)
{
    u32 size = access & ACC_SIZE;
    u16 bit;

    if (size == SIZE_B && number >= 4 && number < 8 && !in->rex)
        number -= 4;
    bit = BIT(number);
    if (access & ACC_R)
        out->reads |= bit;
    if (access & ACC_W)
        out->writes |= bit;
    if ((access & ACC_W) && (size == SIZE_Y || (size == SIZE_V && operand_is_wide(in))))
        out->kills |= bit;
}

static u16 address_registers(const struct x86_insn *in)
{
    u32 rm = in->modrm & 7, base = in->rex & REX_B ? 8 : 0, index;
    u16 regs = 0;

    if (in->rip_rel)
        return 0;
    if (rm != 4)
        return BIT(base + rm);
    index = (in->sib >> 3 & 7) + (in->rex & REX_X ? 8 : 0);
    if (index != 4)
        regs |= BIT(index);
    if ((in->sib & 7) != 5 || in->modrm >= 0x40)
        regs |= BIT(base + (in->sib & 7));
    return regs;
}

static void use_named(const struct x86_insn *in, const struct form_info *f, struct x86_usage *out)
{
    if (in->has_mem)
        out->reads |= address_registers(in);
    else if (f->rm)
        use_register(in, f->rm, (in->modrm & 7) + (in->rex & REX_B ? 8 : 0), out);
    if (f->reg)
        use_register(in, f->reg, (in->modrm >> 3 & 7) + (in->rex & REX_R ? 8 : 0), out);
    if (f->op)
        use_register(in, f->op, (in->opcode & 7) + (in->rex & REX_B ? 8 : 0), out);
    if (f->vvvv)
        use_register(in, f->vvvv, in->vvvv & 15, out);
}

static void use_implicit(const struct x86_insn *in, const struct implicit *imp, struct x86_usage *out)
{
    out->reads |= imp->reads;
    out->writes |= imp->writes;
    if (!imp->by_size || operand_is_wide(in))
        out->kills |= imp->kills;
    out->touches_memory |= imp->memory;
}

/* xor r,r and sub r,r give zero whatever r held: the register is killed, not read. */
static bool is_zeroing(const struct x86_insn *in)
{
    u32 op = in->opcode & ~2u, rex = in->rex;

    return (op == 0x31 || op == 0x29) && in->enc == X86_ENC_LEGACY && in->map == X86_MAP_1 && in->modrm >= 0xc0 &&
           (in->modrm >> 3 & 7) == (in->modrm & 7) && !(rex & REX_R) == !(rex & REX_B) && operand_is_wide(in);
}

/* ---- Flags ---- */

static u32 operand_bits(const struct x86_insn *in)
{
    if (in->map == X86_MAP_1 && !(in->opcode & 1))
        return 8;
    return in->rex & REX_W ? 64 : in->opsize16 ? 16 : 32;
}

/* Shifts and rotates. count < 0: unknown, perhaps zero, and then the flags stay. Only what every vendor defines is
 * killed: OF for a count of 1, CF while the count is within the operand, neither for rotates through carry. */
static struct flag_use shift_flags(const struct x86_insn *in, s32 count)
{
    u32 op = in->modrm >> 3 & 7;
    struct flag_use f = { 0, X86_ARITH, 0 };

    if (op < 4)
        f.written = X86_CF | X86_OF;
    if (op == 2 || op == 3)
        f.read = X86_CF;
    if (count <= 0)
        return f;
    if (op >= 4)
        f.killed = X86_PF | X86_ZF | X86_SF;
    if (op < 2 || (op >= 4 && (u32)count < operand_bits(in)))
        f.killed |= X86_CF;
    if (count == 1)
        f.killed |= X86_OF;
    return f;
}

static struct flag_use shld_flags(const struct x86_insn *in, s32 count)
{
    struct flag_use f = { 0, X86_ARITH, 0 };

    if (count > 0 && (u32)count < operand_bits(in))
        f.killed = X86_CF | X86_PF | X86_ZF | X86_SF | (count == 1 ? X86_OF : 0);
    return f;
}

static struct flag_use dynamic_flags(const struct x86_insn *in, u32 effect)
{
    s32 count = (s32)(in->imm & (operand_bits(in) == 64 ? 63 : 31));    /* REX.W does not widen a byte shift's count */

    switch (effect) {
    case F_CC:
        return (struct flag_use){ cc_reads[in->cc >> 1], 0, 0 };
    case F_SHIFT_IMM:
        return shift_flags(in, count);
    case F_SHIFT_1:
        return shift_flags(in, 1);
    case F_SHLD_IMM:
        return shld_flags(in, count);
    default:
        return in->map == X86_MAP_1 ? shift_flags(in, -1) : shld_flags(in, -1);
    }
}

static void use_flags(const struct x86_insn *in, u32 effect, struct x86_usage *out)
{
    struct flag_use f = effect < F_STATIC ? flag_effects[effect] : dynamic_flags(in, effect);

    out->flags_read = f.read;
    out->flags_written = f.written;
    out->flags_killed = f.killed & (u16)~f.read;
}

/* ---- Put together ---- */

static bool is_string(u32 form)
{
    return form >= MOVS && form <= SCAS;
}

/* rep counts in rcx; with a count of zero nothing else happens. */
static void use_rep(struct x86_usage *out)
{
    out->reads |= C;
    out->writes |= C;
    out->kills = 0;
    out->flags_killed = 0;
}

/* Kinds whose effect is not the table's to know: traps, far transfers, what the kernel or the CPU refuses. */
static bool is_opaque(u32 kind)
{
    return kind == X86_BAD || kind == X86_FAR || kind == X86_SYSENTER || kind == X86_INT || kind == X86_XBEGIN ||
           kind == X86_PRIVILEGED;
}

static u32 entry_of(const struct x86_insn *in) { return is_opaque(in->kind) ? u_ : find_entry(in); }

bool x86_flag_usage(const struct x86_insn *in, struct x86_usage *out)
{
    u32 e = entry_of(in);

    if (UNLIKELY(ENTRY_FORM(e) == UNKNOWN))
        return false;
    use_flags(in, ENTRY_FLAGS(e), out);
    if (UNLIKELY(in->rep && is_string(ENTRY_FORM(e))))
        out->flags_killed = 0;
    return true;
}

void x86_usage(const struct x86_insn *in, struct x86_usage *out)
{
    u32 e = entry_of(in);
    const struct form_info *f = &forms[ENTRY_FORM(e)];

    *out = (struct x86_usage){ .exact = true, .touches_memory = in->has_mem && !in->is_lea };
    if (UNLIKELY(ENTRY_FORM(e) == UNKNOWN)) {
        *out = (struct x86_usage){ 0xffff, 0xffff, 0, ALL_FLAGS, ALL_FLAGS, 0, true, false };
        return;
    }
    use_flags(in, ENTRY_FLAGS(e), out);
    use_implicit(in, &f->imp, out);
    if (UNLIKELY(is_zeroing(in)))
        use_register(in, Wv, (in->modrm & 7) + (in->rex & REX_B ? 8 : 0), out);
    else
        use_named(in, f, out);
    if (UNLIKELY(in->rep && is_string(ENTRY_FORM(e))))
        use_rep(out);
    out->kills &= (u16)~out->reads;
}
