/* executes.c: does an instruction with a condition do anything, is its branch taken, will it be repeated? Asked of the registers and flags
 * in a frame. */
#include "arch/x86/slow.h"

u64 x86_rep_count(const struct x86_insn *x, const struct x86_frame *f)
{
    return x->addr32 ? (u32)f->gpr[RCX] : f->gpr[RCX];
}

static bool condition(u32 cc, u64 flags)
{
    bool cf = flags & X86_CF, zf = flags & X86_ZF, sf = flags & X86_SF, of = flags & X86_OF, pf = flags & X86_PF, r;
    switch (cc >> 1) {
    case 0: r = of; break;
    case 1: r = cf; break;
    case 2: r = zf; break;
    case 3: r = cf || zf; break;
    case 4: r = sf; break;
    case 5: r = pf; break;
    case 6: r = sf != of; break;
    default: r = zf || sf != of; break;
    }
    return r != (cc & 1);
}

/* loop, loope, loopne, jrcxz (e0..e3) */
static bool loop_taken(const struct x86_insn *x, const struct x86_frame *f)
{
    u64 count = x86_rep_count(x, f);
    bool zf = f->flags & X86_ZF;
    switch (x->opcode & 3) {
    case 0: return count != 1 && !zf;
    case 1: return count != 1 && zf;
    case 2: return count != 1;
    default: return count == 0;
    }
}

bool x86_is_taken(const struct slow_call *c, const struct x86_frame *f)
{
    if (c->point == POINT_TAKEN || c->insn.kind != INSN_COND)
        return true;
    if (c->insn.a.x.kind == X86_JRCXZ)
        return loop_taken(&c->insn.a.x, f);
    return condition(c->insn.a.x.cc, f->flags);
}

bool x86_rep_goes_on(const struct x86_insn *x, const struct x86_frame *f)
{
    bool compares = (x->opcode & ~1) == 0xa6 || (x->opcode & ~1) == 0xae, zf = f->flags & X86_ZF;
    return x86_rep_count(x, f) != 0 && (!compares || zf == (x->rep == 0xf3));
}

/* fcmovcc: da/db, c0..df: b, e, be, u and their opposites */
static bool fcmov_executes(const struct x86_insn *x, u64 flags)
{
    static const u8 cc[4] = { CC_B, CC_E, CC_BE, 10 };
    return condition(cc[x->modrm >> 3 & 3] ^ (x->opcode & 1u), flags);
}

bool x86_executes(const struct slow_call *c, const struct x86_frame *f)
{
    const struct x86_insn *x = &c->insn.a.x;
    if (x->enc != X86_ENC_LEGACY)
        return true;
    if (x->map == X86_MAP_0F && x->opcode >= 0x40 && x->opcode <= 0x4f)
        return condition(x->opcode & 15, f->flags);
    if (x->map == X86_MAP_1 && (x->opcode == 0xda || x->opcode == 0xdb) && x->modrm >= 0xc0 && x->modrm < 0xe0)
        return fcmov_executes(x, f->flags);
    if (arch_is_repeated(&c->insn))
        return x86_rep_count(x, f) != 0;
    return true;
}
