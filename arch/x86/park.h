/* park.h: one register of the application's that the engine uses throughout a trace.
 *
 * Records (record.c) need a register besides r11. One that no instruction of the trace names is parked in its slot by the
 * first record that wants it, once; from there to the end of the trace its value is there, so a signal finds it
 * (RESTING_PARKED), and the register may be used between any two instructions. It is loaded again only where control may
 * leave, before the branch, and only if it was used since. What follows on the straight way does not store it again. */
#ifndef X86_PARK_H
#define X86_PARK_H
#include "arch/x86/bridge.h"
#include "arch/x86/restore.h"

static inline bool x86_is_parked(const struct emit *e) { return e->at_rest & RESTING_PARKED; }
static inline u32 x86_parked(const struct emit *e) { return e->parked - 1u; }

/* Choose it, before the trace is emitted: e->parked is 0 if there is none. */
void x86_choose_parked(struct emit *e, const struct insn *list, u32 n);

static inline u32 x86_lend_parked(struct emit *e)
{
    if (!x86_is_parked(e))
        put_store_tls(e, x86_parked(e), AT_SLOT(PARKED_SLOT));
    e->at_rest |= RESTING_PARKED;
    e->held.is_lent = true;
    return x86_parked(e);
}

/* Control may leave behind this. */
static inline void put_parked_back(struct emit *e)
{
    if (e->held.is_lent)
        put_load_tls(e, x86_parked(e), AT_SLOT(PARKED_SLOT));
    e->held.is_lent = false;
}
#endif
