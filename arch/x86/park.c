/* park.c: see park.h. */
#include "arch/x86/park.h"
#include "arch/x86/inline.h"
#include "engine/engine.h"

/* Only records, sums and routines that stand in the trace, in front of the instruction: everything else may look at all registers. */
struct found {
    u32 records, elsewhere, inlined;        /* elsewhere: in other buffers than the first */
    u32 want[MOST_PARKED];                  /* routines that have to keep more registers than this many */
};

static bool stands_here(struct emit *e, const struct site *s, const struct call *c, struct found *f)
{
    u32 keeps;
    if (c->flags & CALL_IF || c->guard || !x86_can_inline(e, s, c, &keeps))
        return false;
    f->inlined++;
    for (u32 k = 0; k < MIN(keeps, (u32)MOST_PARKED); k++)
        f->want[k]++;
    return true;
}

static bool are_quiet(struct emit *e, const struct site *s, struct found *f)
{
    if (instr_calls(s->i, POINT_AFTER) || instr_calls(s->i, POINT_TAKEN))
        return false;
    for (const struct call *c = s->calls; c; c = c->next) {
        bool is_other = !(c->flags & CALL_COUNT) && !c->record;
        if (is_other && !stands_here(e, s, c, f))
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

/* One that little code names. */
static u32 choose_from(u16 free)
{
    static const u8 order[] = { R10, R9, R8, R15, R14, R13, R12, RBX, RBP, RDI, RSI, RCX, RDX, RAX };
    u32 k = 0;
    while (!(free >> order[k] & 1))
        k++;
    return order[k];
}

/* As many as pay: each is stored once, and loaded again where the trace may be left, unless that is for its own beginning; a routine
 * would do both by itself. */
static u32 choose(const struct found *f, u32 blocks, bool is_loop, u16 free)
{
    u32 parked = 0, least = f->inlined ? is_loop ? 1 : blocks + 2 : f->elsewhere ? 2 : 1;
    for (u32 k = 0; k < MOST_PARKED && free; k++) {
        if (f->want[k] + (k ? 0 : f->records) < least)
            break;
        u32 r = choose_from(free);
        parked = add_parked(parked, k, r);
        free &= (u16)~BIT(r);
    }
    return parked;
}

/* Those of the trace that jumps here, so that nothing has to be moved, if they are free here, too, and enough. */
static bool can_take_over(const struct found *f, u16 free, const struct trace *from, bool has_records)
{
    if (!from || !(from->arch_flags & TF_BOUND) || !(from->arch_flags & TF_RECORDS) != !has_records)
        return false;
    u32 theirs = trace_parked(from), n = count_parked(theirs);
    for (u32 k = 0; k < n; k++)
        if (!(free >> parked_reg(theirs, k) & 1))
            return false;
    return f->records || (n < MOST_PARKED ? f->want[n] < 2 : true);
}

bool x86_choose_parked(struct emit *e, const struct insn *list, u32 n, const struct trace *from)
{
    u16 used = BIT(RSP) | BIT(R11) | x86_named(), odd_bases = BIT(RBP) | BIT(R12) | BIT(R13);
    struct found f = { 0 };
    u32 blocks = 1;
    bool is_loop = false, writes_any = x86_has_records();
    e->parked = 0;
    if (opt->opt_level < OPT_REGALLOC || e->is_alone)
        return false;
    for (u32 i = 0; i < n; i++) {
        struct x86_usage u;
        struct site s = { list, i, n, POINT_BEFORE, instr_calls(i, POINT_BEFORE) };
        x86_usage(&list[i].a.x, &u);
        blocks += list[i].kind == INSN_COND;
        is_loop |= list[i].target == list[0].pc && (list[i].kind == INSN_COND || list[i].kind == INSN_JUMP);
        if (instr_of(i) && !are_quiet(e, &s, &f))
            return false;
        if (leaves(&list[i]))
            continue;
        if (!u.exact || arch_is_repeated(&list[i]) || (i + 1 < n && !goes_on(&list[i])))
            return false;
        used |= u.reads | u.writes;
    }
    bool has_records = f.records || f.elsewhere;
    if ((has_records && !x86_owns_r11(e)) || (!has_records && !f.inlined))
        return false;
    u16 free = (u16)~(used | (f.inlined ? odd_bases : 0));             /* odd ones: rename.c */
    bool takes_over = can_take_over(&f, free, from, has_records);
    e->parked = takes_over ? trace_parked(from) : choose(&f, blocks, is_loop, free);
    return e->parked && (has_records ? !f.elsewhere && !f.inlined : x86_owns_r11(e) && !writes_any);
}

u32 x86_bind_len(u8 arch_flags, u32 parked)
{
    enum { MOVE_LEN = 9 };
    return (count_parked(parked) + (arch_flags & TF_RECORDS ? 1 : 0)) * MOVE_LEN;
}

void x86_bind(struct emit *e, const struct insn *list, u32 n)
{
    e->held = (struct arch_held){ .list = list, .n = n };
    if (!x86_is_bound(e))
        return;
    x86_lend(e, (1u << count_parked(e->parked)) - 1);
    if (!x86_writes_records(e))
        return;
    put_load_tls(e, R11, AT_BUFFER(0));
    e->held.buffer = 1;
}
