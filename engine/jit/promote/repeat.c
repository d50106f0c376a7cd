/* repeat.c: a repeated instruction that a trace begins with. Where the tool only counts its iterations, and their number is known
 * beforehand, they are counted and made at once. (Elsewhere in a trace only one iteration is made: for the others, blocks and traces
 * begin there.) */
#include "engine/jit/promote/promote_int.h"

bool repeat_asks_only_before(const struct insn_request *r)
{
    return !r->call[POINT_AFTER] && !r->call[POINT_TAKEN] && !r->is_deleted && !r->is_moved && !r->has_version && !r->jump[0].is_on &&
           !r->jump[1].is_on;
}

static bool can_be_each(const struct count *c, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (c[i].amount != 1 && c[i].amount != 2 && c[i].amount != 4 && c[i].amount != 8)
            return false;
    return n && slots_can_add(c, n);
}

static bool asks_only_for_sums(const struct insn_request *r)
{
    struct count c[MAX_COUNTS];
    if (!r->call[POINT_BEFORE] || !repeat_asks_only_before(r))
        return false;
    for (const struct call *at = r->call[POINT_BEFORE]; at; at = at->next)
        if (at->is_case || !can_be_each(c, gather_counts_of(at, c)))
            return false;
    return true;
}

void repeat_count(const struct view *v)
{
    if (!arch_repeats_counted(&v->insn[0]) || !asks_only_for_sums(instr_of(0)))
        return;
    gather_before(v, 0);
    if (stretch_end_each(0))
        instr_request(0)->is_at_once = true;
}

/* The same for an If that counts down: it was found to be one. */
void repeat_count_down(const struct view *v)
{
    struct insn_request *r = instr_request(0);
    const struct call *c = r->call[POINT_BEFORE];
    if (!gather_may_be_bulk(&v->insn[0]) || !c || !c->guard || !c->next || c->next->next || !repeat_asks_only_before(r))
        return;
    r->is_by_budget = promotion.has_bulk = true;
    settle_note(&(struct count){ c->guard, -1, 8, false }, -1, 0, 0, true);
}
