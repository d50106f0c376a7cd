/* liveness.c: which registers and flags the application no longer needs at a place of a trace. Behind the trace's exits
 * everything is taken to be needed, and an instruction that may fault shows all registers to the application's handler. */
#include "arch/x86/bridge.h"
#include "arch/x86/landing.h"
#include "engine/engine.h"

enum { LOOK_AHEAD = 16 };

u16 x86_dead_regs(const struct insn *list, u32 i, u32 n)
{
    u16 dead = 0, open = ALL_BUT_RSP;
    for (u32 end = MIN(n, i + LOOK_AHEAD); i < end && open; i++) {
        struct x86_usage u;
        if (list[i].kind != INSN_PLAIN && list[i].kind != INSN_JUMP)
            break;
        x86_usage(&list[i].a.x, &u);
        if (!u.exact || u.touches_memory)
            break;
        open &= (u16)~u.reads;
        dead |= open & u.kills;
        open &= (u16)~u.writes;
    }
    return dead;
}

bool arch_flags_are_dead(const struct insn *list, u32 i, u32 n) { return x86_flags_dead(list, i, n); }

static u32 from(const struct site *s) { return s->i + (s->point == POINT_AFTER); }

/* Behind one iteration of a repeated instruction, count and flags decide whether there is another. */
static bool all_is_needed(const struct site *s)
{
    return s->point == POINT_TAKEN || (s->point == POINT_AFTER && arch_is_repeated(&s->list[s->i]));
}

bool x86_flags_dead_at(const struct site *s)
{
    return opt->opt_level >= OPT_FLAGS && !all_is_needed(s) && x86_flags_dead(s->list, from(s), s->n);
}

u16 x86_dead_regs_at(const struct site *s)
{
    return all_is_needed(s) || opt->opt_level < OPT_REGALLOC ? 0 : x86_dead_regs(s->list, from(s), s->n);
}

/* One that is overwritten before it is read, or read later than all others, as far as one can see: whoever waits for its
 * return from a spill slot does so late. */
static u32 least_urgent(const struct site *s, u16 open)
{
    enum { FAR = 12 };
    u16 before = open;
    for (u32 i = from(s); i < MIN(s->n, from(s) + FAR) && open; i++) {
        struct x86_usage u;
        x86_usage(&s->list[i].a.x, &u);
        before = open;
        open &= (u16)~u.reads;
        if (open & u.kills)
            return (u32)__builtin_ctz(open & u.kills);
    }
    return 31u - (u32)__builtin_clz(open ? open : before);
}

u32 x86_pick(const struct site *s, u16 avoid, bool *is_dead)
{
    u16 dead = x86_dead_regs_at(s) & (u16)~avoid, any = ALL_BUT_RSP & (u16)~avoid;
    *is_dead = dead != 0;
    if (dead)
        return (u32)__builtin_ctz(dead);
    return opt->opt_level < OPT_REGALLOC ? (u32)__builtin_ctz(any) : least_urgent(s, any);
}
