/* park.c: see park.h. */
#include "arch/x86/park.h"
#include "engine/engine.h"

/* Only records and sums, in front of the instruction: everything else may look at all registers. */
struct found { u32 records, elsewhere; };        /* elsewhere: in other buffers than the first */

static bool are_records(u32 i, struct found *f)
{
    if (instr_calls(i, POINT_AFTER) || instr_calls(i, POINT_TAKEN))
        return false;
    for (const struct call *c = instr_calls(i, POINT_BEFORE); c; c = c->next) {
        if (!(c->flags & CALL_COUNT) && !c->record)
            return false;
        f->records += c->record == RECORD_HERE;
        f->elsewhere += c->record && c->buffer;
    }
    return true;
}

/* A way out of the trace in its middle must be one that puts the register back. */
static bool goes_on(const struct insn *in) { return in->kind == INSN_PLAIN || in->kind == INSN_COND || in->kind == INSN_JUMP; }

/* The dispatcher performs it, with all registers in place. */
static bool leaves(const struct insn *in) { return in->kind == INSN_SYSCALL || in->kind == INSN_EMULATE || in->kind == INSN_REPLACED; }

/* The register of the trace that jumps here, so that nothing has to be moved; else one that little code names. */
static u32 choose_from(u16 free, const struct trace *from)
{
    static const u8 order[] = { R10, R9, R8, R15, R14, R13, R12, RBX, RBP, RDI, RSI, RCX, RDX, RAX };
    u32 theirs = from && from->arch_flags & TF_BOUND ? trace_parked(from) - 1 : RSP;
    u32 k = 0;
    if (free >> theirs & 1)
        return theirs;
    while (!(free >> order[k] & 1))
        k++;
    return order[k];
}

bool x86_choose_parked(struct emit *e, const struct insn *list, u32 n, const struct trace *from)
{
    u16 used = BIT(RSP) | BIT(R11);
    struct found f = { 0 };
    e->parked = 0;
    if (!x86_owns_r11(e) || opt->opt_level < OPT_REGALLOC || e->is_alone)
        return false;
    for (u32 i = 0; i < n; i++) {
        struct x86_usage u;
        x86_usage(&list[i].a.x, &u);
        if (instr_of(i) && !are_records(i, &f))
            return false;
        if (leaves(&list[i]))
            continue;
        if (!u.exact || arch_is_repeated(&list[i]) || (i + 1 < n && !goes_on(&list[i])))
            return false;
        used |= u.reads | u.writes;
    }
    u16 free = (u16)~used;
    bool can_be_bound = !f.elsewhere;
    if (!free || f.records < (can_be_bound ? 1 : 2))                   /* alone, and for one, it would not pay */
        return false;
    e->parked = (u8)(choose_from(free, from) + 1);
    return can_be_bound;
}

void x86_bind(struct emit *e, const struct insn *list, u32 n)
{
    e->held = (struct arch_held){ .list = list, .n = n };
    if (!x86_is_bound(e))
        return;
    put_store_tls(e, x86_parked(e), AT_SLOT(PARKED_SLOT));
    put_load_tls(e, R11, AT_BUFFER(0));
    e->at_rest |= RESTING_PARKED;
    e->held.buffer = 1;
    e->held.is_lent = true;
}
