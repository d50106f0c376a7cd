/* distinct.c: how many different application instructions the cache holds; for --stats. Traces overlap, so it is less than they
 * have together. */
#include "base/heap.h"
#include "engine/cache/cache_int.h"

struct set { addr_t *slot; u64 mask, n; };      /* open addressing; 0: free */

static void count_insns(struct block *b, void *arg)
{
    for (u32 i = 0; !b->retired && i < b->n_traces; i++)
        *(u64 *)arg += ((struct trace *)ref_ptr(b->traces[i]))->n_insns;
}

static void add(struct set *s, addr_t pc)
{
    u64 i = pc * 0x9e3779b97f4a7c15ull >> 20 & s->mask;
    for (; s->slot[i]; i = (i + 1) & s->mask)
        if (s->slot[i] == pc)
            return;
    s->slot[i] = pc;
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

static void add_block(struct block *b, void *arg)
{
    for (u32 i = 0; !b->retired && i < b->n_traces; i++) {
        struct trace *t = ref_ptr(b->traces[i]);
        if (!t->is_retired)
            add_trace(arg, t);
    }
}

u64 cache_distinct(void)
{
    u64 insns = 1, slots = 1024;
    block_for_each(count_insns, &insns);
    while (slots < 2 * insns)
        slots *= 2;
    struct set s = { heap_pages(slots * sizeof *s.slot), slots - 1, 0 };
    block_for_each(add_block, &s);
    heap_free_pages(s.slot, slots * sizeof *s.slot);
    return s.n;
}
