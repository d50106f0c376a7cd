/* flags.c: are the arithmetic flags dead? Looks ahead in the trace, then into the code that it leads to. What it cannot
 * see is taken to read them.
 *
 * A signal handler could see dead flags in its context: by default they may be others there than natively; with --strict
 * no flag is ever dead. */
#include "arch/x86/landing.h"
#include "base/sys.h"
#include "engine/emulate/memory.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "arch_signal.h"

enum { LOOK_AHEAD = 16, DEPTH = 2 };

/* An instruction that defines the zero flag and leaves AF undefined sets AF to something that does not depend on its
 * former value. */
static u16 killed_by(const struct x86_usage *u)
{
    u16 k = u->flags_killed;
    if (u->flags_written & X86_AF && (k & (X86_ZF | X86_SF | X86_PF)) == (X86_ZF | X86_SF | X86_PF))
        k |= X86_AF;
    return k;
}

/* What one instruction does to the set of live flags; false: it reads one of them, or is not understood. */
static bool step(const struct x86_insn *x, u16 *live)
{
    struct x86_usage u;
    if (!x86_flag_usage(x, &u) || u.flags_read & *live)
        return false;
    *live &= (u16)~killed_by(&u);
    return true;
}

/* The same for code that is not in the trace. Only where the program cannot write: a later change would go unnoticed. */
static bool dead_at(addr_t pc, u16 live, u32 depth)
{
    u8 bytes[64];
    struct x86_insn x;
    if (hooks.fetch || mem_learn_prot(pc) & (K_PROT_WRITE | MEM_SHARED) || !mem_exec_prot(pc + sizeof bytes) || !mem_copy_safely(bytes, (void *)pc, sizeof bytes))
        return false;
    for (u32 at = 0; x86_decode(bytes + at, sizeof bytes - at, &x) && x.len; at += x.len) {
        if (x.kind == X86_JMP || x.kind == X86_CALL)
            return depth && dead_at(x86_target(&x, pc + at), live, depth - 1);
        if (x.kind != X86_PLAIN || !step(&x, &live))
            return false;
        if (!live)
            return true;
    }
    return false;
}

bool x86_flags_dead(const struct insn *list, u32 i, u32 n)
{
    u16 live = X86_ARITH;
    if (opt->strict)
        return false;
    u32 end = MIN(n, i + LOOK_AHEAD);
    for (u32 k = i; k < end; k++) {
        const struct insn *in = &list[k];
        if (in->kind == INSN_CALL)
            return dead_at(in->target, live, DEPTH);
        if ((in->kind != INSN_PLAIN && in->kind != INSN_JUMP) || !step(&in->a.x, &live))
            return false;
        if (!live)
            return true;
    }
    if (end < n || !n)
        return false;
    const struct insn *last = &list[n - 1];
    return dead_at(last->kind == INSN_JUMP ? last->target : insn_next(last), live, DEPTH);
}
