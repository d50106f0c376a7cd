/* park.h: registers of the application's that the engine uses across its instructions.
 *
 * Routines that stand in the trace (light.c) need registers, and are given others than their own (rename.c); records (record.c) need
 * one besides r11. Where none is dead, one of the application's is *parked*: stored in a slot by the first that wants it, once. From
 * there on its value is in the slot, so a signal finds it (map.h), and the register may be used between any two instructions. It is
 * loaded again only where somebody looks at it: where control may leave, before the branch, and in front of the next instruction that
 * names it; and only if it was used since. On the straight way behind a branch it need not be stored again.
 *
 * Which registers, and from where to where, is decided before the trace is emitted, by a linear scan (park.c):
 *  (1) Those that no instruction of the trace names are parked for all of it, as many as pay.
 *  (2) Of the others, each has *spans*: stretches of instructions that do not name it. Where a routine wants more than is there, the
 *      one that is named latest is parked until then, if it serves often enough on the way.
 *  (3) A span does not reach across what has to find all registers at home: calls and other transfers in the middle of a trace,
 *      analysis calls that are shown all registers, instructions of which it is not known what they name.
 *
 * A trace may be *bound* (TF_BOUND): it begins and ends with the registers of (1) parked, and if it writes records, which all go to the
 * first buffer then, with r11 as the place in that. In front of its code stands what it takes to get there from the application's state.
 * A direct exit to a trace that is bound to the same registers leads to the code itself: nothing is fetched or stored between. Any other
 * way out goes through the exit's stub, which fetches them. A trace made for an exit of a bound one takes the same registers if it
 * can. */
#ifndef X86_PARK_H
#define X86_PARK_H
#include "arch/x86/bridge.h"
#include "arch/x86/r11.h"
#include "arch/x86/restore.h"

static inline u32 x86_parked(const struct emit *e) { return parked_reg(e->binding, 0); }      /* the first, which is that of records */
static inline u32 x86_bound_slots(const struct emit *e) { return (1u << count_parked(e->binding)) - 1; }

/* Choose them, before the trace is emitted: e->binding, and spans. True: the trace can be bound.
 * from: who jumps there, or NULL. */
bool x86_choose_parked(struct emit *e, const struct insn *list, u32 n, const struct trace *from);
static inline bool x86_is_bound(const struct emit *e) { return e->arch_flags & TF_BOUND; }
static inline bool x86_writes_records(const struct emit *e) { return e->arch_flags & TF_RECORDS; }
void x86_bind(struct emit *e, const struct insn *list, u32 n);        /* the trace's code begins behind this */

/* What may be parked in front of instruction i, as it would stand in e->parked. */
u32 x86_parkable(const struct emit *e, u32 i);
static inline u16 x86_registers_of(u32 parked)
{
    u16 set = 0;
    for (u32 k = 0; k < MOST_PARKED; k++)
        set |= has_parked(parked, k) ? BIT(parked_reg(parked, k)) : 0;
    return set;
}

/* Slot k: the register goes there unless it is there, and may be used. */
static inline void x86_lend(struct emit *e, u32 k, u32 reg)
{
    if (!has_parked(e->parked, k))
        put_store_tls(e, reg, AT_SLOT(PARKED_SLOT + k));
    e->parked = add_parked(e->parked, k, reg);
    e->held.lent |= (u8)(1u << k);
    e->held.constant = 0;
}

static inline u32 x86_lend_parked(struct emit *e)
{
    x86_lend(e, 0, x86_parked(e));
    return x86_parked(e);
}

static inline void put_parked(struct emit *e, u32 which)            /* bit k: of slot k */
{
    for (u32 k = 0; k < MOST_PARKED; k++)
        if (which >> k & 1 && has_parked(e->parked, k))
            put_load_tls(e, parked_reg(e->parked, k), AT_SLOT(PARKED_SLOT + k));
}

/* The same as x86_lend_parked, with a constant in it, which may be there already. */
static inline u32 x86_lend_parked_as(struct emit *e, u64 constant)
{
    if (!(e->held.lent & 1) || e->held.constant != constant)
        put_const(e, x86_lend_parked(e), constant);
    e->held.constant = constant;
    return x86_parked(e);
}

/* Somebody may look at the registers in these slots: they are as the application has them. */
static inline void put_back(struct emit *e, u32 which)
{
    put_parked(e, e->held.lent & which);
    e->held.lent &= (u8)~which;
}

/* Control may leave behind this, not by a direct exit of a bound trace. */
static inline void put_parked_back(struct emit *e) { put_back(e, ~0u); }

/* A direct exit: behind instruction `in`, which is the branch; NULL: behind the last one. */
void x86_hold_for_exit(struct emit *e, const struct insn *in);       /* record.c: r11 is the place in the first buffer */
static inline void put_exit_state(struct emit *e, const struct insn *in)
{
    put_back(e, x86_is_bound(e) ? ~x86_bound_slots(e) : ~0u);
    if (x86_is_bound(e) && x86_writes_records(e))
        x86_hold_for_exit(e, in);
}
#endif
