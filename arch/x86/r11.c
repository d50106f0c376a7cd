/* r11.c: see r11.h. */
#include "arch/x86/r11.h"

/* Only an extension bit together with a 3 can name r11, in any of the fields that it extends; most instructions have none. */
static bool may_name_r11(const struct x86_insn *x)
{
    if (x->enc != X86_ENC_LEGACY)
        return true;
    if (!(x->rex & 7))
        return false;
    bool base = (x->modrm & 7) == 3 || (x->sib & 7) == 3 || (x->opcode & 7) == 3;
    return (x->rex & 1 && base) || (x->rex & 2 && (x->sib >> 3 & 7) == 3) || (x->rex & 4 && (x->modrm >> 3 & 7) == 3);
}

static bool uses_r11(const struct x86_insn *x)
{
    struct x86_usage u;
    if (!may_name_r11(x))
        return false;
    x86_usage(x, &u);
    return !u.exact || (u.reads | u.writes) >> R11 & 1;
}

/* Copied as it is, or a branch. */
static bool leaves_r11(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    switch (in->kind) {
    case INSN_PLAIN: return x->kind == X86_PLAIN && !x->rip_rel && x->seg != X86_SEG_GS;
    case INSN_COND: return true;
    case INSN_JUMP: return x->kind == X86_JMP;
    default: return false;
    }
}

bool x86_leaves_r11(const struct insn *list, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (!leaves_r11(&list[i]))
            return false;
    return true;
}

bool x86_uses_r11(const struct insn *list, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (uses_r11(&list[i].a.x))
            return true;
    return false;
}
