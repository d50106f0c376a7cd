/* park.h: registers of the application's that the engine uses throughout a trace.
 *
 * Records (record.c) need a register besides r11; routines that stand in the trace (light.c) need some, and are given others than
 * their own (rename.c). Such as no instruction of the trace names are parked in their slots by the first that wants one, all at once
 * and once; from there to the end of the trace their values are there, so a signal finds them (RESTING_PARKED), and the registers may
 * be used between any two instructions. One is loaded again only where control may leave, before the branch, and only if it was used
 * since. What follows on the straight way does not store it again.
 *
 * A trace may be *bound* (TF_BOUND): it begins and ends with its registers parked, and if it writes records, which all go to the first
 * buffer then, with r11 as the place in that. In front of its code stands what it takes to get there from the application's state. A
 * direct exit to a trace that is bound to the same registers leads to the code itself: nothing is fetched or stored between. Any other
 * way out goes through the exit's stub, which fetches them. A trace made for an exit of a bound one takes the same registers if it
 * can. */
#ifndef X86_PARK_H
#define X86_PARK_H
#include "arch/x86/bridge.h"
#include "arch/x86/r11.h"
#include "arch/x86/restore.h"

static inline bool x86_is_parked(const struct emit *e) { return e->at_rest & RESTING_PARKED; }
static inline u32 x86_parked(const struct emit *e) { return parked_reg(e->parked, 0); }      /* the first, which is that of records */
static inline u16 x86_all_parked(const struct emit *e)
{
    u16 set = 0;
    for (u32 k = 0; has_parked(e->parked, k); k++)
        set |= BIT(parked_reg(e->parked, k));
    return set;
}

/* Choose them, before the trace is emitted: e->parked is 0 if there are none. True: the trace can be bound.
 * from: who jumps there, or NULL. */
bool x86_choose_parked(struct emit *e, const struct insn *list, u32 n, const struct trace *from);
static inline bool x86_is_bound(const struct emit *e) { return e->arch_flags & TF_BOUND; }
static inline bool x86_writes_records(const struct emit *e) { return e->arch_flags & TF_RECORDS; }
void x86_bind(struct emit *e, const struct insn *list, u32 n);        /* the trace's code begins behind this */

static inline void x86_lend(struct emit *e, u32 which)              /* bit k: number k */
{
    for (u32 k = 0; !x86_is_parked(e) && has_parked(e->parked, k); k++)
        put_store_tls(e, parked_reg(e->parked, k), AT_SLOT(PARKED_SLOT + k));
    e->at_rest |= RESTING_PARKED;
    e->held.lent |= (u8)which;
    e->held.constant = 0;
}

static inline u32 x86_lend_parked(struct emit *e)
{
    x86_lend(e, 1);
    return x86_parked(e);
}

static inline void put_parked(struct emit *e, u32 which)
{
    for (u32 k = 0; has_parked(e->parked, k); k++)
        if (which >> k & 1)
            put_load_tls(e, parked_reg(e->parked, k), AT_SLOT(PARKED_SLOT + k));
}

/* The same, with a constant in it, which may be there already. */
static inline u32 x86_lend_parked_as(struct emit *e, u64 constant)
{
    if (!(e->held.lent & 1) || e->held.constant != constant)
        put_const(e, x86_lend_parked(e), constant);
    e->held.constant = constant;
    return x86_parked(e);
}

/* A direct exit: behind instruction `in`, which is the branch; NULL: behind the last one. */
void x86_hold_for_exit(struct emit *e, const struct insn *in);       /* record.c: r11 is the place in the first buffer */
static inline void put_parked_back(struct emit *e);
static inline void put_exit_state(struct emit *e, const struct insn *in)
{
    if (!x86_is_bound(e))
        put_parked_back(e);
    else if (x86_writes_records(e))
        x86_hold_for_exit(e, in);
}

/* Control may leave behind this, not by a direct exit of a bound trace. */
static inline void put_parked_back(struct emit *e)
{
    put_parked(e, e->held.lent);
    e->held.lent = 0;
}
#endif
