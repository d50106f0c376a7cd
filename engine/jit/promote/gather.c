/* gather.c: what becomes of each call that a tool asked for: sums, a record, a countdown, or the call that it was. */
#include "engine/jit/countdown.h"
#include "engine/jit/optreport.h"
#include "engine/jit/promote/promote_int.h"

static bool is_small(s64 v) { return v > -0x8000000 && v < 0x8000000; }    /* sums of many still fit an immediate */

u32 gather_counts_of(const struct call *c, struct count *out)
{
    u32 n;
    if (opt->opt_level < OPT_SCHEDULE || c->flags & ~(CALL_ANYWHERE | CALL_PRESERVES) || !c->fn || !arch_counts(c, out, &n))
        return 0;
    for (u32 i = 0; i < n; i++)
        if (!is_small(out[i].amount))
            return 0;
    return n;
}

bool promote_takes(const struct view *v, u32 i, enum point p, const struct call *c)
{
    struct count out[MAX_COUNTS];
    return arch_records(v, i, p, c) || gather_counts_of(c, out);
}

bool gather_may_be_bulk(const struct insn *in) { return !promotion.is_shared && arch_repeats_counted(in); }

/* ---- calls that stay calls ---- */
/* An If that counts down, with its Then: another If, whose routine is exact and rarely called. NULL: it is none. */
static struct call *count_down(struct call *at, bool is_bulk)
{
    struct count c;
    u32 number;
    if (at->flags != CALL_IF || !at->next || at->next->flags & CALL_PREDICATED || !promote_may() ||
        !arch_counts_down(at, &c) || !arch_reaches(c.at))
        return NULL;
    struct word *w = word_at(c.at);
    if (w->places || w->number || w->is_grouped)
        return NULL;
    promote_begin();
    sight_show(c.at);
    u64 *slot = countdown_place(&c, is_bulk, &number);
    if (!slot)
        return NULL;
    w->is_down = true;
    optreport_counted(at);
    struct call *down = instr_new_call(1);
    down->next = at->next;
    down->fn = countdown_exact;
    down->order = at->order;
    down->flags = at->flags;
    down->n_args = 1;
    down->arg[0].value = number;                          /* of kind ARG_CONST */
    down->guard = (u64)slot;
    return down;
}

/* What may its routine look at, standing in the trace? A Then never does. */
static void look_at(const struct call *c)
{
    u64 seen[MAX_SEEN_WORDS];
    struct count counted[MAX_COUNTS];
    u32 n = gather_counts_of(c, counted);
    if (c->flags & CALL_THEN)
        return;
    if (n) {                                              /* one that cannot be reached: nothing but its words */
        for (u32 i = 0; i < n; i++)
            if (!counted[i].is_tls)
                slots_pin(counted[i].at);
        return;
    }
    switch (arch_sight(c, seen, &n)) {
    case SEES_ANY: promote_forbid(); break;
    case SEES_WORDS:
        for (u32 i = 0; i < n; i++)
            slots_pin(seen[i]);
        break;
    default: break;
    }
}

/* ---- in front of an instruction. Each function takes the call at *p, and gives the link to go on with; where the end of a stretch
 * put its sums there, that is p again. ---- */
static struct call **gather_predicated(const struct view *v, u32 i, struct call **p)
{
    const struct call *at = *p;
    stretch_end(v, i);
    return *p == at ? records_group(v, i, p) : p;
}

static struct call **gather_record(const struct view *v, u32 i, struct call **p)
{
    struct call *at = *p;
    if (!stretch_has_room(1) || !records_have_room()) {
        stretch_end(v, i);
        return p;
    }
    records_add(i, p, at);
    if (opt->opt_level < OPT_SCHEDULE)
        stretch_end(v, i);
    return &at->next;
}

static struct call **keep_call(const struct view *v, u32 i, struct call **p)
{
    struct call *at = *p;
    stretch_end(v, i);
    if (*p != at)
        return p;
    records_forget_room();
    struct call *down = count_down(at, i == 0 && gather_may_be_bulk(&v->insn[i]));
    if (down)
        *p = down;
    else
        look_at(at);
    return &(*p)->next;
}

static struct call **gather_call(const struct view *v, u32 i, struct call **p)
{
    struct call *at = *p;
    struct count c[MAX_COUNTS];
    u32 n = gather_counts_of(at, c);
    if (!n || !stretch_has_room(n) || !slots_can_add(c, n))
        return keep_call(v, i, p);
    optreport_counted(at);
    *p = at->next;
    for (u32 k = 0; k < n; k++)
        stretch_add(i, p, &c[k]);
    return p;
}

void gather_before(const struct view *v, u32 i)
{
    for (struct call **p = &instr_request(i)->call[POINT_BEFORE], *at; (at = *p);) {
        if (at->flags & CALL_COUNT || at->record)
            p = &at->next;
        else if (!arch_records(v, i, POINT_BEFORE, at))
            p = gather_call(v, i, p);
        else if (at->flags & CALL_PREDICATED)
            p = gather_predicated(v, i, p);
        else
            p = gather_record(v, i, p);
    }
}

/* ---- behind an instruction or on its branch: sums stay where they are ---- */
static struct call **convert_counts(struct call **p, struct count *c, u32 n)
{
    optreport_counted(*p);
    *p = (*p)->next;
    for (u32 k = n; k-- > 0;) {
        slots_redirect(&c[k]);
        *p = stretch_new_count(&c[k], *p);
    }
    for (u32 k = 0; k < n; k++)
        p = &(*p)->next;
    return p;
}

void gather_behind(const struct view *v, u32 i, enum point point)
{
    struct count c[MAX_COUNTS];
    for (struct call **p = &instr_request(i)->call[point], *at; (at = *p);) {
        if (arch_records(v, i, point, at)) {
            *p = records_convert(at);
            p = &at->next;
            continue;
        }
        u32 n = gather_counts_of(at, c);
        if (n && slots_can_add(c, n)) {
            p = convert_counts(p, c, n);
            continue;
        }
        look_at(at);
        p = &at->next;
    }
}
