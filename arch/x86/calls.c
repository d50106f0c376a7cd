/* calls.c: the calls of one point, and which way each is made: as a sum, as a record, inlined, or in a visit (bridge.c). */
#include "arch/x86/inline.h"
#include "arch/x86/park.h"
#include "arch/x86/r11.h"

static const struct call *behind(const struct call *c) { return c->flags & CALL_IF && c->next ? c->next->next : c->next; }

/* One that stands in the trace itself, with those that belong to it: the last of them. */
static const struct call *emit_in_place(struct emit *e, const struct site *site, const struct call *c)
{
    const struct call *from = c;
    if (c->flags & CALL_COUNT) {
        while (c->next && c->next->flags & CALL_COUNT)
            c = c->next;
        x86_emit_counts(e, site, from, c->next);
    } else if (c->record == RECORD_ROOM && c->flags & CALL_PREDICATED)
        return x86_emit_predicated(e, site, c);
    else if (c->record == RECORD_ROOM)
        x86_emit_room(e, site, c);
    else if (c->record == RECORD_HERE)
        x86_emit_record(e, site, c);
    else if (c->guard)
        x86_emit_guarded(e, site, c);
    else
        x86_emit_inline(e, site, c);
    return c;
}

/* It finds the registers where they are. */
static void emit_visit(struct emit *e, const struct site *site, const struct call *from, const struct call *end)
{
    put_parked_back(e);
    x86_emit_visit(e, site, from, end);
}

static void emit_calls(struct emit *e, const struct site *site)
{
    const struct call *called = site->calls;         /* first of those that are not inlined, up to c */
    for (const struct call *c = site->calls; c; c = behind(c)) {
        bool is_count = c->flags & CALL_COUNT;
        if (!c->record && !is_count && !c->guard && !x86_inlines(e, site, c))
            continue;
        if (called != c)
            emit_visit(e, site, called, c);
        if (called != c || (!c->record && !is_count))
            x86_forget_held(e);
        c = emit_in_place(e, site, c);
        called = behind(c);
    }
    if (called) {
        emit_visit(e, site, called, NULL);
        x86_forget_held(e);
    }
}

/* What stands on the way out of the trace does not happen to the rest of it. */
void arch_emit_calls(struct emit *e, const struct site *site)
{
    struct arch_held held = e->held;
    emit_calls(e, site);
    if (site->point == POINT_TAKEN && site->list[site->i].kind == INSN_COND)
        e->held = held;
}

/* A bound, not an estimate: what is emitted must fit. */
static u32 size_of(const struct call *c)
{
    enum { VISIT = 400, CALLED = 60, RECORD = 800, PER_ARG = 32, LIGHT = 160, PER_INSN = 20 };
    const struct body *b = c->fn && c->n_args <= ABI_REGS ? x86_body(c->fn) : NULL;
    u32 n = PER_ARG * c->n_args + CALLED;
    if (c->flags & CALL_COUNT)
        return n + VISIT;                       /* may end the visit of a call before it */
    if (c->flags & CALL_BUFFER || c->guard)
        n += VISIT + RECORD;
    else if (b)
        n += LIGHT + PER_INSN * b->n + (c->flags & CALL_IF ? LIGHT + VISIT : 0);
    else if (c->next && c->next->fn && x86_body(c->next->fn))
        n += VISIT;                             /* an inlined call behind it ends its visit */
    return n;
}

u32 arch_calls_size(const struct call *list)
{
    enum { VISIT = 400 };
    u32 n = list ? VISIT : 0;
    for (; list; list = list->next)
        n += size_of(list);
    return n;
}

/* ---- control flow around calls ---- */
u8 *arch_emit_taken(struct emit *e, const struct insn *in)
{
    if (in->a.x.kind == X86_JRCXZ) {              /* hop over the jump that leads to the rest */
        put_bytes(e, in->bytes, in->len - 1u);
        put8(e, 5);
        return put_jump_forward(e);
    }
    return put_jcc_forward(e, in->a.x.cc ^ 1u);
}

void arch_emit_untaken(struct emit *e, u8 *from) { patch_forward(e, from); }

void arch_emit_goto(struct emit *e, struct reg_id reg)
{
    put_store_const(e, 0, AT_BRANCH);             /* no branch of the application's */
    put_r11_home(e);
    if (reg.file == RF_TOOL)
        put_load_tls(e, R11, (s32)offsetof(struct arch_thread, tool_reg) + 8 * reg.num);
    else if (reg.num != R11)
        put_move(e, R11, reg.num);
    put_jump(e, x86_miss_target);
}
