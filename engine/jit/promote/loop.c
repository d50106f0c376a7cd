/* loop.c: loops count in a register of the engine's.
 *
 * Additions to memory in a small loop wait for each other, longer than the loop takes without, and each is as much work for the CPU as
 * three instructions. So a trace that does nothing but count, in one word, may have that word in a register: it is loaded in front of the
 * trace, stored where control leaves for another kind of trace, and stays there on the way to one of the same kind. Tool code of this
 * thread cannot run before it has been stored; that of another thread could look meanwhile, so this is done only as long as there is
 * one. All such traces of a promoted word have the first of its slots in the register. */
#include "engine/jit/promote/promote_int.h"

static u64 loop_word;
static enum loop_kind loop_kind;

static bool is_simple(const struct view *v)
{
    for (u32 i = 0; i < v->n; i++)
        if (v->insn[i].kind != INSN_PLAIN && v->insn[i].kind != INSN_JUMP && v->insn[i].kind != INSN_COND)
            return false;
    return true;
}

static bool leads_back(const struct view *v)
{
    const struct insn *last = &v->insn[v->n - 1];
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
    loop_kind = LOOP_NONE;
    if (!promote_may() || promotion.is_shared || opt->check_state || !is_simple(v))
        return;
    FOR_EACH_REQUEST(i, v->n) {
        one = one ? one : instr_calls(i, POINT_BEFORE);         /* a sum may have been moved away from here */
        if (!counts_in(one ? slots_row(count_at(one)) : 0, instr_of(i)))
            return;
    }
    if (!one)
        return;
    loop_word = slots_first(count_at(one));
    loop_kind = leads_back(v) ? LOOP_WHOLE : slots_row(loop_word) != loop_word ? LOOP_PART : LOOP_NONE;
}

u64 promote_loop_word(void) { return loop_word; }
enum loop_kind promote_loop(void) { return loop_kind; }
