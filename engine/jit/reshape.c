/* reshape.c: the tool looks at the trace that was chosen. What it asks for may end the line earlier. */
#include "engine/jit/build.h"
#include "engine/jit/promote.h"

static bool is_changed(const struct insn_request *r)
{
    return r->is_deleted || r->is_moved || r->has_version || r->jump[0].is_on || r->jump[1].is_on;
}

static void cut(u32 n, bool falls)
{
    const struct insn *last = &build.insn[n - 1];
    build.n = build.n_insns = n;
    build.falls = falls;
    build.fall = last->kind == INSN_JUMP ? last->target : insn_next(last);
}

/* A routine that is told nothing of the application's registers and memory does not know where a return address is. */
static bool is_told_nothing(const struct call *c)
{
    if (c->flags & (CALL_RETURNS | CALL_BUFFER) || c->is_case)
        return false;
    for (u32 i = 0; i < c->n_args; i++)
        switch (c->arg[i].kind) {
        case ARG_CONST: case ARG_HERE: case ARG_THREAD: case ARG_CLOCK: break;
        default: return false;
        }
    return true;
}

/* May the tool change what the instruction does, or a return address? */
static bool is_heavy(const struct view *v, u32 i)
{
    const struct insn_request *r = instr_of(i);
    if (!r)
        return false;
    for (u32 p = 0; p < N_POINTS; p++)
        for (const struct call *c = r->call[p]; c; c = c->next)
            if (!is_told_nothing(c) && !promote_takes(v, i, (enum point)p, c))
                return true;
    return is_changed(r);
}

static bool has_heavy(const struct view *v, u32 first, u32 last)
{
    for (u32 i = first; i <= last; i++)
        if (is_heavy(v, i))
            return true;
    return false;
}

static void cut_at_leaves(const struct view *v)
{
    for (u32 k = 0; k < build.n_leaves; k++) {
        if (!has_heavy(v, build.leaf[k].call, build.leaf[k].ret))
            continue;
        build.insn[build.leaf[k].call].kind = INSN_CALL;
        cut(build.leaf[k].call + 1u, returns_here(INSN_CALL));
        build.n_leaves = k;
        build.n_refused++;
    }
}

/* What was to go where a fixed word says (see resolve) and is changed by the tool is an indirect transfer again. */
static void resolve_no_changes(void)
{
    for (u32 i = 0; i < build.n; i++)
        if (instr_of(i) && (instr_of(i)->is_moved || instr_of(i)->is_deleted))
            arch_unresolve(&build.insn[i]);
}

/* A block's version holds for all ways out of the trace behind it; a trace goes on behind a conditional branch, but not with what
 * another transfer leads to. */
static bool ends_for_version(u32 i)
{
    u8 kind = build.insn[i].kind;
    return instr_of(i) && instr_of(i)->has_version && kind != INSN_PLAIN && kind != INSN_COND && i + 1 < build.n;
}

/* Where the tool leaves out a transfer or inserts one, the line goes on differently. */
static void cut_at_changes(void)
{
    for (u32 i = 0; i < build.n; i++) {
        u8 kind = build.insn[i].kind;
        if (instr_jump(i, POINT_BEFORE) || instr_jump(i, POINT_AFTER))
            cut(i + 1, false);
        else if (ends_for_version(i))
            cut(i + 1, kind == INSN_JUMP);
        else if (is_moved(i) && !is_deleted(i) && kind != INSN_PLAIN)
            cut(i + 1, kind == INSN_EMULATE);
        else if (is_deleted(i) && kind != INSN_PLAIN && kind != INSN_COND) {
            cut(i + 1, true);
            build.fall = insn_next(&build.insn[i]);      /* of a jump, too: it is not made */
        }
    }
}

/* Let the tool look at the trace. A trace that runs once is at an instruction that has begun already (it wrote to a
 * watched page): its calls have been made. */
struct view build_view(void)
{
    return (struct view){ .insn = build.insn, .n = build.n, .fall = build.fall, .falls = build.falls,
                          .version = tool_version(own_version()) };
}

static void note_requests(void)
{
    FOR_EACH_REQUEST(i, build.n) {
        build.has_calls = true;
        build.has_changes |= is_changed(instr_of(i));
    }
}

void build_instrument(void)
{
    struct view v = build_view();
    build.has_calls = build.has_changes = false;
    if (!instr_run(&v))
        return;
    if (build.is_once)
        instr_forget_before();
    note_requests();
    if (!build.has_calls)
        return;
    cut_at_leaves(&v);
    if (build.has_changes) {
        resolve_no_changes();
        cut_at_changes();
    }
    v.n = build.n;
    bool dump = build.has_calls && dump_wants(build.pc, build.insn, build.n);
    if (dump)
        dump_calls("instrumented", build.insn, build.n);
    instr_schedule(&v);
    promote_run(&v);
    if (dump)
        dump_calls("scheduled", build.insn, build.n);
}
