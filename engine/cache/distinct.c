/* distinct.c: how many different application instructions have been translated; for --stats. Traces overlap, and some are made again, so
 * it is less than they have together. */
#include "base/heap.h"
#include "engine/cache/cache_int.h"
#include "engine/engine.h"

static struct set { addr_t *slot; u64 mask, n; } seen;      /* open addressing; 0: free */

static bool has(struct set *s, addr_t pc, u64 *at)
{
    *at = pc * 0x9e3779b97f4a7c15ull >> 20 & s->mask;
    for (; s->slot[*at]; *at = (*at + 1) & s->mask)
        if (s->slot[*at] == pc)
            return true;
    return false;
}

static void grow(struct set *s)
{
    enum { FIRST = 1 << 16 };
    struct set old = *s;
    u64 slots = old.slot ? 2 * (old.mask + 1) : FIRST, at;
    *s = (struct set){ heap_pages(slots * sizeof *s->slot), slots - 1, old.n };
    for (u64 i = 0; old.slot && i <= old.mask; i++)
        if (old.slot[i] && !has(s, old.slot[i], &at))
            s->slot[at] = old.slot[i];
    if (old.slot)
        heap_free_pages(old.slot, (old.mask + 1) * sizeof *old.slot);
}

static void add(struct set *s, addr_t pc)
{
    u64 at;
    if (!s->slot || s->n > s->mask / 2)
        grow(s);
    if (has(s, pc, &at))
        return;
    s->slot[at] = pc;
    s->n++;
}

/* Those of a run, which are in the cache as they were; how many. */
static u32 add_run(struct set *s, const struct trace *t, const struct map_entry *m, u32 end)
{
    u32 n = 0;
    struct insn in;
    for (u32 at = m->code; at < end; at += in.len, n++) {
        addr_t pc = t->pc + (addr_t)(s64)m->app + (at - m->code);
        if (arch_decode(trace_code(t) + at, end - at, pc, &in) != DECODE_OK)
            break;
        add(s, pc);
    }
    return n;
}

/* Records that are no start of an instruction repeat one, or tell where control is on its way to. */
static void add_trace(struct set *s, struct trace *t)
{
    struct map_reader r = map_begin(t);
    bool is_more = map_next(&r);
    for (u32 i = 0; i < t->n_insns && is_more;) {
        struct map_entry m = r.last;
        is_more = map_next(&r);
        if (m.is_run) {
            i += add_run(s, t, &m, is_more ? r.last.code : t->size);
        } else if (!(m.restore & MAP_NOT_A_START)) {
            add(s, t->pc + (addr_t)(s64)m.app);
            i++;
        }
    }
}

void distinct_remember(struct trace *t)
{
    if (opt->stats != STATS_OFF)
        add_trace(&seen, t);
}

static void add_block(struct block *b, void *unused)
{
    for (u32 i = 0; !b->retired && i < b->n_traces; i++) {
        struct trace *t = ref_ptr(b->traces[i]);
        if (!t->is_retired)
            distinct_remember(t);
    }
}

u64 cache_distinct(void)
{
    block_for_each(add_block, NULL);
    return seen.n;
}
