/* run.c: the way through the calls of a trace, instruction by instruction. */
#include "engine/jit/promote/promote_int.h"

static bool has_other_calls(u32 i) { return instr_calls(i, POINT_AFTER) || instr_calls(i, POINT_TAKEN); }

/* The dispatcher performs it, and makes the calls behind it. */
static bool is_performed(const struct insn *in) { return in->kind == INSN_SYSCALL || in->kind == INSN_EMULATE; }

/* What follows it in the trace runs right behind it, if at all. */
static bool goes_on(const struct insn *in) { return in->kind == INSN_PLAIN || in->kind == INSN_COND || in->kind == INSN_JUMP; }

void promote_run(const struct view *v)
{
    records_forget_room();
    stretch_begin();
    settle_begin();
    for (u32 i = 0; i < v->n; i++) {
        bool is_asked = instr_of(i) != NULL;
        if (i == 0 && is_asked)
            repeat_count(v);
        if (is_asked)
            gather_before(v, i);
        if (i == 0 && is_asked)
            repeat_count_down(v);
        if (stretch_is_boundary(v, i) || (is_asked && has_other_calls(i)))
            stretch_end(v, i);
        if ((is_asked && has_other_calls(i)) || !goes_on(&v->insn[i]))
            records_forget_room();
        if (is_asked) {
            if (!is_performed(&v->insn[i]))
                gather_behind(v, i, POINT_AFTER);
            gather_behind(v, i, POINT_TAKEN);
        }
    }
    stretch_end(v, v->n - 1);
    loop_find(v);
}
