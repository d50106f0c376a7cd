/* park.c: see park.h. Which registers of the application's are parked, and where. */
#include "arch/x86/park.h"
#include "arch/x86/inline.h"
#include "engine/engine.h"

/* ---- what the trace wants ---- */
static struct survey {
    const struct insn *list;
    u32 n, blocks;
    bool is_loop;
    bool is_quiet;                          /* nothing but records, sums and routines that stand in it, on a straight way */
    u32 records, elsewhere, inlined;        /* elsewhere: in other buffers than the first */
    u32 routines[MOST_PARKED];              /* that have to keep more registers than this many */
    u16 names[MAX_INSNS];                   /* by each instruction; or all, where nothing may be parked */
    u8 wants[MAX_INSNS];                    /* registers for routines in front of it */
} survey;

enum { ALL_NAMED = 0xffff };

static void note_routine(u32 i, u32 keeps)
{
    survey.inlined++;
    survey.wants[i] = (u8)MAX((u32)survey.wants[i], MIN(keeps, (u32)MOST_PARKED));
    for (u32 k = 0; k < MIN(keeps, (u32)MOST_PARKED); k++)
        survey.routines[k]++;
}

/* A call that finds registers where they are, and changes none that it does not name. */
static bool is_modest(const struct site *s, const struct call *c) { return !c->is_case && !c->guard && c->fn && !x86_is_slow(s, c); }

/* One call, with the Then of an If. False: it is shown all registers. */
static bool note_call(struct emit *e, const struct site *s, const struct call *c)
{
    u32 keeps;
    if (c->flags & CALL_COUNT)
        return true;
    if (c->record) {
        survey.records += c->record == RECORD_HERE;
        survey.elsewhere += c->buffer != 0;
        return true;
    }
    const struct call *then = c->flags & CALL_IF ? c->next : NULL;
    if (!is_modest(s, c) || (then && !is_modest(s, then)))
        return false;
    bool stands = x86_can_inline(e, s, c, &keeps);
    survey.is_quiet &= stands && !then;
    if (stands)
        note_routine(s->i, keeps);
    return true;
}

static bool note_calls(struct emit *e, const struct site *s)
{
    if (instr_calls(s->i, POINT_AFTER) || instr_calls(s->i, POINT_TAKEN) || instr_jump(s->i, POINT_BEFORE) || instr_jump(s->i, POINT_AFTER))
        return false;
    for (const struct call *c = s->calls; c; c = c->flags & CALL_IF && c->next ? c->next->next : c->next)
        if (!note_call(e, s, c))
            return false;
    return true;
}

/* A way out of the trace in its middle must be one that puts the register back. */
static bool goes_on(const struct insn *in) { return in->kind == INSN_PLAIN || in->kind == INSN_COND || in->kind == INSN_JUMP; }

/* The dispatcher performs it, with all registers in place. */
static bool leaves(const struct insn *in) { return in->kind == INSN_SYSCALL || in->kind == INSN_EMULATE || in->kind == INSN_REPLACED; }

static void note_insn(struct emit *e, u32 i)
{
    const struct insn *in = &survey.list[i];
    struct site s = { survey.list, i, survey.n, POINT_BEFORE, instr_calls(i, POINT_BEFORE) };
    struct x86_usage u;
    x86_usage(&in->a.x, &u);
    survey.blocks += in->kind == INSN_COND;
    survey.is_loop |= in->target == survey.list[0].pc && (in->kind == INSN_COND || in->kind == INSN_JUMP);
    bool is_open = !instr_of(i) || note_calls(e, &s);
    if (leaves(in) && is_open) {
        survey.names[i] = 0;
        return;
    }
    is_open &= u.exact && !arch_is_repeated(in) && (i + 1 == survey.n || goes_on(in));
    survey.names[i] = is_open ? u.reads | u.writes : ALL_NAMED;
    survey.is_quiet &= is_open;
}

static void look_through(struct emit *e, const struct insn *list, u32 n)
{
    memset(&survey, 0, offsetof(struct survey, names));
    memset(survey.wants, 0, n);
    survey.list = list;
    survey.n = n;
    survey.blocks = 1;
    survey.is_quiet = true;
    for (u32 i = 0; i < n; i++)
        note_insn(e, i);
}

/* ---- for the whole trace ---- */
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
static u32 choose(u16 free)
{
    const struct survey *s = &survey;
    u32 binding = 0, least = s->inlined ? s->is_loop ? 1 : s->blocks + 2 : s->elsewhere ? 2 : 1;
    for (u32 k = 0; k < MOST_PARKED && free; k++) {
        if (s->routines[k] + (k ? 0 : s->records) < least)
            break;
        u32 r = choose_from(free);
        binding = add_parked(binding, k, r);
        free &= (u16)~BIT(r);
    }
    return binding;
}

/* Those of the trace that jumps here, so that nothing has to be moved, if they are free here, too, and enough. */
static bool can_take_over(u16 free, const struct trace *from, bool has_records)
{
    if (!from || !(from->arch_flags & TF_BOUND) || !(from->arch_flags & TF_RECORDS) != !has_records)
        return false;
    u32 theirs = trace_binding(from), n = count_parked(theirs);
    for (u32 k = 0; k < n; k++)
        if (!(free >> parked_reg(theirs, k) & 1))
            return false;
    return survey.records || (n < MOST_PARKED ? survey.routines[n] < 2 : true);
}

/* ---- spans: a linear scan ---- */
enum { MOST_SPANS = 32 };
static struct span { u8 slot, reg; u16 from, to; } span[MOST_SPANS];      /* in front of instructions `from` to `to` - 1 */
static u32 n_spans;

static bool covers(const struct span *s, u32 i) { return s->from <= i && i < s->to; }

static u32 parkable(u32 binding, u32 i)
{
    u32 parked = binding;
    for (u32 k = 0; k < n_spans; k++)
        if (covers(&span[k], i))
            parked = add_parked(parked, span[k].slot, span[k].reg);
    return parked;
}

/* Without an end there is no span. */
u32 x86_parkable(const struct emit *e, u32 i) { return e->next_end == ~0u ? e->binding : parkable(e->binding, i); }

/* Where the register is named next. */
static u32 named_next(u32 reg, u32 i)
{
    while (i < survey.n && !(survey.names[i] >> reg & 1))
        i++;
    return i;
}

/* Of those that are not named here, the one that is named last. */
static u32 find_latest(u16 free, u32 i, u32 *until)
{
    u32 best = 0;
    *until = i;
    for (u16 rest = free; rest; rest &= (u16)(rest - 1)) {
        u32 r = (u32)__builtin_ctz(rest), end = named_next(r, i);
        if (end > *until) {
            *until = end;
            best = r;
        }
    }
    return best;
}

/* Is one more register worth to be stored and loaded, and loaded at the branches on the way? `has`: how many are there anyway. */
static bool pays(u32 i, u32 until, u32 has)
{
    u32 uses = 0, branches = 0, between = 0;
    for (; i < until; i++) {
        between += survey.list[i].kind == INSN_COND;
        if (survey.wants[i] <= has)
            continue;
        uses++;
        branches = between;
    }
    return uses >= 2 + branches;
}

static u32 count_slots(u32 parked)
{
    u32 n = 0;
    for (u32 k = 0; k < MOST_PARKED; k++)
        n += has_parked(parked, k);
    return n;
}

static u32 free_slot(u32 parked)
{
    u32 k = 0;
    while (has_parked(parked, k))
        k++;
    return k;
}

/* From the first instruction to the last: where a routine wants more than is parked there, one more is, if there is one that pays. */
static void scan(u32 binding, u16 candidates)
{
    n_spans = 0;
    for (u32 i = 0; i < survey.n && n_spans < MOST_SPANS; i++) {
        u32 parked = parkable(binding, i), has = count_slots(parked), until;
        if (survey.wants[i] <= has || free_slot(parked) == MOST_PARKED)
            continue;
        u32 r = find_latest((u16)(candidates & ~x86_registers_of(parked)), i, &until);
        if (!pays(i, until, has))
            continue;
        span[n_spans++] = (struct span){ (u8)free_slot(parked), (u8)r, (u16)i, (u16)until };
        i--;                                      /* it may want yet another one */
    }
}

static u32 next_end(u32 i)
{
    u32 next = ~0u;
    for (u32 k = 0; k < n_spans; k++)
        if (span[k].to > i)
            next = MIN(next, (u32)span[k].to);
    return next;
}

/* A register that nobody needs any more is not fetched. */
void arch_emit_between(struct emit *e, const struct insn *list, u32 i, u32 n)
{
    struct site s = { list, i, n, POINT_BEFORE, NULL };
    u16 dead = x86_dead_regs_at(&s);
    for (u32 k = 0; k < n_spans; k++) {
        u32 slot = span[k].slot;
        if (span[k].to != i || !has_parked(e->parked, slot))
            continue;
        if (dead >> span[k].reg & 1)
            e->held.lent &= (u8)~(1u << slot);
        put_back(e, 1u << slot);
        e->parked = without_parked(e->parked, slot);
    }
    e->next_end = next_end(i);
}

/* ---- both ---- */
bool x86_choose_parked(struct emit *e, const struct insn *list, u32 n, const struct trace *from)
{
    static const u16 odd_bases = BIT(RBP) | BIT(R12) | BIT(R13);       /* rename.c */
    u16 used = BIT(RSP) | BIT(R11) | x86_named(), named = 0;
    if (opt->opt_level < OPT_REGALLOC || e->is_alone)
        return false;
    look_through(e, list, n);
    bool has_records = survey.records || survey.elsewhere;
    if ((has_records && (!x86_owns_r11(e) || !survey.is_quiet)) || (!has_records && !survey.inlined))
        return false;
    for (u32 i = 0; i < n; i++)
        named |= survey.names[i];
    u16 candidates = (u16)~(used | (survey.inlined ? odd_bases : 0)), free = candidates & (u16)~named;
    if (survey.is_quiet)
        e->binding = can_take_over(free, from, has_records) ? trace_binding(from) : choose(free);
    if (!has_records) {
        scan(e->binding, candidates);
        e->next_end = next_end(0);
    }
    return e->binding && (has_records ? !survey.elsewhere && !survey.inlined : x86_owns_r11(e) && !x86_has_records());
}

u32 x86_bind_len(u8 arch_flags, u32 binding)
{
    enum { MOVE_LEN = 9 };
    return (count_parked(binding) + (arch_flags & TF_RECORDS ? 1 : 0)) * MOVE_LEN;
}

void x86_bind(struct emit *e, const struct insn *list, u32 n)
{
    e->held = (struct arch_held){ .list = list, .n = n };
    if (!x86_is_bound(e))
        return;
    for (u32 k = 0; has_parked(e->binding, k); k++)
        x86_lend(e, k, parked_reg(e->binding, k));
    if (!x86_writes_records(e))
        return;
    put_load_tls(e, R11, AT_BUFFER(0));
    e->held.buffer = 1;
}
