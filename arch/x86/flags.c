/* flags.c: are the arithmetic flags dead? Looks ahead in the trace; what lies behind its end is taken to read them. */
#include "arch/x86/landing.h"

enum { LOOK_AHEAD = 16 };

/* An instruction that defines the zero flag and leaves AF undefined sets AF to something that does not depend on its
 * former value. */
static u16 killed_by(const struct x86_usage *u)
{
    u16 k = u->flags_killed;
    if (u->flags_written & X86_AF && (k & (X86_ZF | X86_SF | X86_PF)) == (X86_ZF | X86_SF | X86_PF))
        k |= X86_AF;
    return k;
}

bool x86_flags_dead(const struct insn *list, u32 i, u32 n)
{
    u16 live = X86_ARITH;
    for (u32 end = MIN(n, i + LOOK_AHEAD); i < end; i++) {
        if (list[i].kind != INSN_PLAIN && list[i].kind != INSN_JUMP)
            return false;
        struct x86_usage u;
        x86_usage(&list[i].a.x, &u);
        if (u.flags_read & live || !u.exact)
            return false;
        live &= (u16)~killed_by(&u);
        if (!live)
            return true;
    }
    return false;
}
