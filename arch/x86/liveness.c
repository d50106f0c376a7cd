/* liveness.c: which registers and flags the application no longer needs at a place of a trace. Behind the trace's exits
 * everything is taken to be needed, and an instruction that may fault shows all registers to the application's handler. */
#include "arch/x86/bridge.h"
#include "arch/x86/landing.h"
#include "arch/x86/r11.h"
#include "engine/engine.h"
#include "engine/stats.h"

enum { LOOK_AHEAD = 16 };

/* Does the instruction surely not fault? Memory may; so may a division, vector and x87 instructions (exceptions of theirs,
 * or a CPU that lacks them), and the odd ones; so the two-byte instructions are those that are known not to. */
static bool surely_completes(const struct x86_insn *x, const struct x86_usage *u)
{
    u32 reg = x->modrm >> 3 & 7;
    if (!u->exact || u->touches_memory || x->lock || x->enc != X86_ENC_LEGACY || x86_touches_vectors(x))
        return false;
    if (x->map == X86_MAP_1)
        return x->opcode != 0x8e && !((x->opcode & 0xfe) == 0xf6 && reg >= 6);     /* mov to a segment register; div, idiv */
    if (x->map != X86_MAP_0F)
        return false;
    switch (x->opcode) {
    case 0x1f: case 0x40 ... 0x4f: case 0x90 ... 0x9f: case 0xa3 ... 0xa5: case 0xab ... 0xad: case 0xaf ... 0xb1: case 0xb3:
    case 0xb6 ... 0xb8: case 0xba ... 0xc1: case 0xc8 ... 0xcf: return true;
    default: return false;
    }
}

u16 x86_dead_regs(const struct insn *list, u32 i, u32 n)
{
    u16 dead = 0, open = ALL_BUT_RSP;
    for (u32 end = MIN(n, i + LOOK_AHEAD); i < end && open; i++) {
        struct x86_usage u;
        if (list[i].kind != INSN_PLAIN && list[i].kind != INSN_JUMP)
            break;
        x86_usage(&list[i].a.x, &u);
        if (!surely_completes(&list[i].a.x, &u))
            break;
        open &= (u16)~u.reads;
        dead |= open & u.kills;
        open &= (u16)~u.writes;
    }
    return dead;
}

/* ---- what calls look at ---- */
/* A register that the application no longer needs may still be shown to the tool, by a call further on. */
static u16 named;               /* by calls of the trace that is being made */
static bool is_shown;           /* all of them: a call is worked out in C */
static bool has_records, has_inlinable;

static u16 bit_of(struct reg_id r) { return r.file == RF_GPR ? BIT(r.num) : 0; }

static void note_call(const struct call *c)
{
    named |= c->flags & CALL_RETURNS ? bit_of(c->result) : 0;
    for (u32 k = 0; k < c->n_args; k++)
        if (c->arg[k].kind == ARG_REG || c->arg[k].kind == ARG_REG_REF)
            named |= bit_of(c->arg[k].reg);
}

u16 x86_named_by_calls(const struct insn *list, u32 n)
{
    named = 0;
    is_shown = has_records = has_inlinable = false;
    FOR_EACH_REQUEST(i, n)
        for (u32 p = 0; p < N_POINTS; p++)
            for (const struct call *c = instr_calls(i, p); c; c = c->next) {
                struct site s = { list, i, n, p, c };
                if (c->flags & CALL_COUNT)
                    continue;
                note_call(c);
                has_records |= c->record == RECORD_HERE;
                bool is_slow = !c->record && x86_is_slow(&s, c);
                is_shown |= is_slow;
                has_inlinable |= !c->record && !is_slow;
            }
    return named;
}

bool x86_has_records(void) { return has_records; }
bool x86_has_inlinable(void) { return has_inlinable; }
u16 x86_named(void) { return named; }

bool arch_flags_are_dead(const struct insn *list, u32 i, u32 n) { return x86_flags_dead(list, i, n); }

static u32 from(const struct site *s) { return s->i + (s->point == POINT_AFTER); }

/* Behind one iteration of a repeated instruction, count and flags decide whether there is another. */
static bool all_is_needed(const struct site *s)
{
    return s->point == POINT_TAKEN || (s->point == POINT_AFTER && arch_is_repeated(&s->list[s->i]));
}

bool x86_flags_dead_at(const struct site *s)
{
    enum stats_phase was = stats_phase(PHASE_REGALLOC);
    bool r = opt->opt_level >= OPT_FLAGS && !all_is_needed(s) && x86_flags_dead(s->list, from(s), s->n);
    stats_phase(was);
    return r;
}

u16 x86_dead_regs_at(const struct site *s)
{
    if (all_is_needed(s) || is_shown || opt->opt_level < OPT_REGALLOC)
        return 0;
    enum stats_phase was = stats_phase(PHASE_REGALLOC);
    u16 r = x86_dead_regs(s->list, from(s), s->n) & (u16)~named;
    stats_phase(was);
    return r;
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

u32 x86_pick(const struct emit *e, const struct site *s, u16 avoid, bool *is_dead)
{
    u16 dead = x86_dead_regs_at(s) & (u16)~avoid, any = ALL_BUT_RSP & (u16)~avoid;
    if (x86_owns_r11(e) && !(avoid & BIT(R11))) {
        *is_dead = true;
        return R11;
    }
    *is_dead = dead != 0;
    if (dead)
        return (u32)__builtin_ctz(dead);
    return opt->opt_level < OPT_REGALLOC ? (u32)__builtin_ctz(any) : least_urgent(s, any);
}
