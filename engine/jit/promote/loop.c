/* loop.c: a loop that is one trace counts in a register of the engine's.
 *
 * Additions to memory in a small loop wait for each other, longer than the loop takes without. Tool code of this thread cannot run
 * before it has left the trace, and then the word is right; that of another thread could look meanwhile, so this is done only as
 * long as there is one. */
#include "engine/jit/promote/promote_int.h"

static u64 loop_word;

/* With a branch out of its middle it may be left there in every round, and then adding up costs more than it saves. */
static bool is_loop(const struct view *v)
{
    const struct insn *last = &v->insn[v->n - 1];
    for (u32 i = 0; i + 1 < v->n; i++)
        if (v->insn[i].kind != INSN_PLAIN && v->insn[i].kind != INSN_JUMP)
            return false;
    return (last->kind == INSN_COND && last->target == v->insn[0].pc) || (v->falls && v->fall == v->insn[0].pc);
}

static bool counts_in(u64 row, const struct insn_request *r)
{
    if (!repeat_asks_only_before(r))
        return false;
    for (const struct call *c = r->call[POINT_BEFORE]; c; c = c->next)
        if (!(c->flags & CALL_COUNT) || c->flags & CALL_PREDICATED || c->is_each || c->buffer != 8 || slots_row(count_at(c)) != row)
            return false;
    return true;
}

void loop_find(const struct view *v)
{
    const struct call *one = NULL;
    loop_word = 0;
    if (!promote_may() || promotion.is_shared || opt->check_state || !is_loop(v))
        return;
    FOR_EACH_REQUEST(i, v->n) {
        one = one ? one : instr_calls(i, POINT_BEFORE);
        if (!one || !counts_in(slots_row(count_at(one)), instr_of(i)))
            return;
    }
    loop_word = one ? count_at(one) : 0;
}

u64 promote_loop_word(void) { return loop_word; }
