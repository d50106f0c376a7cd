/* settle.c: a thread that leaves a trace in the middle: sums that were moved across the place where it left are added or taken back
 * (promote.h, (2)). While a trace is made its moves are noted; what is left of them belongs to the trace. */
#include "engine/jit/promote/promote_int.h"

enum { MAX_MOVED = 2048 };
struct moved { u64 at; s32 amount; u16 from, to; u8 size; bool is_tls, is_each; };    /* from, to: instructions, later map records */
static struct { struct moved all[MAX_MOVED]; u32 n; } moved;
struct kept_moves { u64 loop_word; u32 n; struct moved all[]; };

void settle_begin(void) { moved.n = 0; }
bool settle_has_room(u32 more) { return moved.n + more <= MAX_MOVED; }

void settle_note(const struct count *c, s64 amount, u32 from, u32 to, bool is_each)
{
    moved.all[moved.n++] = (struct moved){ c->at, (s32)amount, (u16)from, (u16)to, c->size, c->is_tls, is_each };
}

void *promote_keep(const u16 *entry, bool is_in_register)
{
    if (!moved.n && !is_in_register)
        return NULL;
    promotion.has_loops |= is_in_register;
    struct kept_moves *k = instr_keep(sizeof *k + moved.n * sizeof *k->all);
    k->loop_word = is_in_register ? promote_loop_word() : 0;
    k->n = moved.n;
    for (u32 i = 0; i < moved.n; i++) {
        k->all[i] = moved.all[i];
        k->all[i].from = entry[moved.all[i].from];
        k->all[i].to = entry[moved.all[i].to];
    }
    moved.n = 0;
    return k;
}

static void adjust(const struct moved *m, s64 by)
{
    slots_add_to((u8 *)m->at + (m->is_tls ? (u64)__builtin_thread_pointer() : 0), m->size, (u64)by);
}

/* Of n iterations (none counts as one) those that are left will be counted again, but for the one that has begun. */
static void settle_each(const struct moved *m, bool has_begun, u64 left)
{
    u64 n = MAX(left, 1ul) - has_begun;
    adjust(m, -(s64)(n * (u64)m->amount));
}

void promote_settle(const struct trace *t, u32 entry, bool has_begun, u64 left, u64 in_register)
{
    const struct annex *a = trace_annex(t);
    const struct kept_moves *k = a ? ref_ptr(a->moved) : NULL;
    if (k && k->loop_word)
        *(u64 *)k->loop_word = in_register;
    for (u32 i = 0; k && i < k->n; i++) {
        const struct moved *m = &k->all[i];
        if (m->is_each) {
            if (entry == m->from)
                settle_each(m, has_begun, left);
            continue;
        }
        bool is_due = has_begun ? entry >= m->from : entry > m->from, is_done = entry > m->to;
        if (is_due != is_done)
            adjust(m, is_due ? m->amount : -(s64)m->amount);
    }
}
