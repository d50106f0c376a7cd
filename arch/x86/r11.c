/* r11.c: see r11.h. */
#include "arch/x86/r11.h"

static bool uses_r11(const struct x86_insn *x)
{
    struct x86_usage u;
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
        if (UNLIKELY(list[i].arch_note & NOTE_R11) && uses_r11(&list[i].a.x))
            return true;
    return false;
}
