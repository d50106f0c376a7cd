/* stretch.c: the sums of one stretch of code that is left only at its end. Sums of one word become one; all of them stand at one
 * place of the stretch, where the flags are free if there is such a place. */
#include "engine/jit/promote/promote_int.h"

static struct {
    struct count sum[MAX_SUMS];
    u32 n;
    u32 home;                               /* the first sum's instruction, and where in its list that stood */
    struct call **link;
} area;
enum { MAX_LOGICAL = 2048 };
static struct { struct { u32 insn, sum; s64 amount; } all[MAX_LOGICAL]; u32 n; } logical;     /* which instruction counts what */

void stretch_begin(void) { area.n = logical.n = 0; }

bool stretch_is_boundary(const struct view *v, u32 i)
{
    const struct insn *in = &v->insn[i];
    return (in->kind != INSN_PLAIN && in->kind != INSN_JUMP) || arch_is_repeated(in) || instr_jump(i, POINT_BEFORE) ||
           instr_jump(i, POINT_AFTER);
}

bool stretch_has_room(u32 more)
{
    return area.n + more <= MAX_SUMS && logical.n + more <= MAX_LOGICAL && settle_has_room(logical.n + more);
}

void stretch_add(u32 i, struct call **link, const struct count *c)
{
    u32 k = 0;
    if (!c->is_tls && word_at(c->at)->is_down)
        promote_end_countdowns();
    while (k < area.n && (area.sum[k].at != c->at || area.sum[k].is_tls != c->is_tls || area.sum[k].size != c->size))
        k++;
    if (!area.n) {
        area.home = i;
        area.link = link;
    }
    if (k == area.n)
        area.sum[area.n++] = (struct count){ c->at, 0, c->size, c->is_tls };
    area.sum[k].amount += c->amount;
    logical.all[logical.n++] = (typeof(logical.all[0])){ i, k, c->amount };
}

struct call *stretch_new_count(const struct count *c, struct call *next)
{
    struct call *n = instr_new_call(2);
    n->flags = CALL_COUNT;
    n->n_args = 2;
    n->buffer = (u8)(c->size | (c->is_tls ? COUNT_TLS : 0));
    n->arg[0].value = c->at;
    n->arg[1].value = (u64)c->amount;
    n->next = next;
    return n;
}

/* All sums that are no thread's own become one. */
static void make_group(struct call **link)
{
    struct count *in[MAX_SUMS];
    u32 n = 0;
    for (u32 i = 0; i < area.n; i++)
        if (!area.sum[i].is_tls && word_at(area.sum[i].at)->places != PINNED)
            in[n++] = &area.sum[i];
    u64 runs = n < 2 ? 0 : slots_group(in, n);
    if (!runs)
        return;
    for (u32 i = 0; i < n; i++)
        in[i]->amount = 0;                                /* not by itself */
    *link = stretch_new_count(&(struct count){ runs, 1, 8, false }, *link);
}

static void put_sums(struct call **link)
{
    make_group(link);
    for (u32 i = 0; i < area.n; i++) {
        if (!area.sum[i].amount)
            continue;
        slots_redirect(&area.sum[i]);
        *link = stretch_new_count(&area.sum[i], *link);
    }
}

/* Where the flags are free, if there is such a place up to instruction `last`. */
static u32 best_place(const struct view *v, u32 last, bool *is_free)
{
    *is_free = true;
    for (u32 k = area.home; k <= last; k++)
        if (arch_flags_are_dead(v->insn, k, v->n))
            return k;
    *is_free = false;
    return area.home;
}

static void note_moved(u32 to)
{
    for (u32 i = 0; i < logical.n; i++)
        if (logical.all[i].insn != to)
            settle_note(&area.sum[logical.all[i].sum], logical.all[i].amount, logical.all[i].insn, to, false);
}

void stretch_end(const struct view *v, u32 last)
{
    if (!area.n)
        return;
    bool is_free;
    u32 to = best_place(v, last, &is_free);
    struct call **link = to == area.home ? area.link : &instr_request(to)->call[POINT_BEFORE], *before = *link;
    put_sums(link);
    for (struct call *c = *link; c != before; c = c->next)
        c->is_free = is_free;
    note_moved(to);
    records_end(v, area.home, area.link, to);
    stretch_begin();
}

bool stretch_end_each(u32 i)
{
    struct call **link = &instr_request(i)->call[POINT_BEFORE];
    if (*link || !area.n)
        return false;                                     /* not all of them fitted */
    put_sums(link);
    for (struct call *c = *link; c; c = c->next)
        c->is_each = true;
    for (u32 k = 0; k < logical.n; k++)
        settle_note(&area.sum[logical.all[k].sum], logical.all[k].amount, i, i, true);
    stretch_begin();
    return true;
}
