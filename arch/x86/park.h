/* park.h: one register of the application's that the engine uses throughout a trace.
 *
 * Records (record.c) need a register besides r11; so do routines that stand in the trace (light.c), which are given other registers
 * than their own (rename.c). One that no instruction of the trace names is parked in its slot by the
 * first of them that wants it, once; from there to the end of the trace its value is there, so a signal finds it
 * (RESTING_PARKED), and the register may be used between any two instructions. It is loaded again only where control may
 * leave, before the branch, and only if it was used since. What follows on the straight way does not store it again.
 *
 * A trace whose records all go to the first buffer is *bound* (TF_BOUND): it begins and ends with the register parked and r11
 * as the place in that buffer. In front of its code stands what it takes to get there from the application's state. A direct
 * exit to a trace that is bound to the same register leads to the code itself: nothing is fetched or stored between. Any
 * other way out goes through the exit's stub, which fetches the register. A trace made for an exit of a bound one takes the
 * same register if it can. */
#ifndef X86_PARK_H
#define X86_PARK_H
#include "arch/x86/bridge.h"
#include "arch/x86/r11.h"
#include "arch/x86/restore.h"

static inline bool x86_is_parked(const struct emit *e) { return e->at_rest & RESTING_PARKED; }
static inline u32 x86_parked(const struct emit *e) { return e->parked - 1u; }

/* Choose it, before the trace is emitted: e->parked is 0 if there is none. True: the trace can be bound.
 * from: who jumps there, or NULL. */
bool x86_choose_parked(struct emit *e, const struct insn *list, u32 n, const struct trace *from);
static inline bool x86_is_bound(const struct emit *e) { return e->arch_flags & TF_BOUND; }
void x86_bind(struct emit *e, const struct insn *list, u32 n);        /* the trace's code begins behind this */

static inline u32 x86_lend_parked(struct emit *e)
{
    if (!x86_is_parked(e))
        put_store_tls(e, x86_parked(e), AT_SLOT(PARKED_SLOT));
    e->at_rest |= RESTING_PARKED;
    e->held.is_lent = true;
    e->held.constant = 0;
    return x86_parked(e);
}

/* The same, with a constant in it, which may be there already. */
static inline u32 x86_lend_parked_as(struct emit *e, u64 constant)
{
    if (!e->held.is_lent || e->held.constant != constant)
        put_const(e, x86_lend_parked(e), constant);
    e->held.constant = constant;
    return x86_parked(e);
}

/* A direct exit: behind instruction `in`, which is the branch; NULL: behind the last one. */
void x86_hold_for_exit(struct emit *e, const struct insn *in);       /* record.c: r11 is the place in the first buffer */
static inline void put_parked_back(struct emit *e);
static inline void put_exit_state(struct emit *e, const struct insn *in)
{
    if (x86_is_bound(e))
        x86_hold_for_exit(e, in);
    else
        put_parked_back(e);
}

/* Control may leave behind this, not by a direct exit of a bound trace. */
static inline void put_parked_back(struct emit *e)
{
    if (e->held.is_lent)
        put_load_tls(e, x86_parked(e), AT_SLOT(PARKED_SLOT));
    e->held.is_lent = false;
}
#endif
