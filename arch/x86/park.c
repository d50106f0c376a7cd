/* park.c: see park.h. */
#include "arch/x86/park.h"
#include "arch/x86/r11.h"
#include "engine/engine.h"

/* Only records and sums, in front of the instruction: everything else may look at all registers. */
static bool are_records(u32 i, u32 *n_records)
{
    if (instr_calls(i, POINT_AFTER) || instr_calls(i, POINT_TAKEN))
        return false;
    for (const struct call *c = instr_calls(i, POINT_BEFORE); c; c = c->next) {
        if (!(c->flags & CALL_COUNT) && !c->record)
            return false;
        *n_records += c->record == RECORD_HERE;
    }
    return true;
}

/* A way out of the trace in its middle must be one that puts the register back. */
static bool goes_on(const struct insn *in) { return in->kind == INSN_PLAIN || in->kind == INSN_COND || in->kind == INSN_JUMP; }

/* How many records the trace has; 0 if it has other calls. */
static u32 count_records(u32 n)
{
    u32 n_records = 0;
    for (u32 i = 0; i < n; i++)
        if (instr_of(i) && !are_records(i, &n_records))
            return 0;
    return n_records;
}

void x86_choose_parked(struct emit *e, const struct insn *list, u32 n)
{
    u16 used = BIT(RSP) | BIT(R11);
    e->parked = 0;
    if (!instr_is_on() || !x86_owns_r11(e) || opt->opt_level < OPT_REGALLOC || e->is_alone)
        return;
    if (count_records(n) < 2)               /* for one, it would not pay */
        return;
    for (u32 i = 0; i < n; i++) {
        struct x86_usage u;
        x86_usage(&list[i].a.x, &u);
        if (!u.exact || arch_is_repeated(&list[i]) || (i + 1 < n && !goes_on(&list[i])))
            return;
        used |= u.reads | u.writes;
    }
    u16 free = (u16)~used;
    if (free)
        e->parked = (u8)(32 - __builtin_clz(free));       /* its number + 1 */
}
