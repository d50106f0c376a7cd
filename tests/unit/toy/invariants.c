/* invariants.c: what must be true of the cache between any two operations. */
#include "engine/stats.h"
#include "toy.h"

struct tally { u32 live; bool has_code[N_REGIONS][REGION_PAGES]; };

static u8 *aimed_at(const struct exit *x) { return cache_ptr(exit_site(x)) + *(s32 *)cache_ptr(exit_site(x)); }

static bool is_incoming(struct trace *to, struct exit *x)
{
    for (struct exit *i = ref_ptr(to->incoming); i; i = next_incoming(i->next_in))
        if (i == x)
            return true;
    return false;
}

static struct trace *linked_to(const struct exit *x)
{
    while (x->next_in && !(x->next_in & IN_LAST))
        x = ref_ptr(x->next_in);
    return ref_ptr(x->next_in & ~(ref_t)IN_LAST);
}

static bool is_object_of(const struct block *b, struct trace *t)
{
    u8 *lo = (u8 *)t - nodes_size(t->n_pages), *hi = trace_map(t) + t->map_size;
    for (struct chunk *c = b->chunks; c; c = c->next)
        if (lo >= (u8 *)(c + 1) && hi <= (u8 *)c + c->size)
            return heap_is_live(c, c->size);
    return false;
}

/* link.c (1), (3) */
static void check_exit(struct trace *t, struct exit *x)
{
    CHECK(exit_trace(x) == t);
    if (x->kind != EXIT_JUMP && x->kind != EXIT_CALL) {
        CHECK(!exit_is_linked(x) && !x->site);
        return;
    }
    struct trace *to = linked_to(x);
    CHECK(aimed_at(x) == (to ? trace_code(to) : cache_ptr(exit_stub(x))));
    if (to) {
        CHECK(!t->is_retired && !to->is_retired && to->pc == exit_target(x) && is_incoming(to, x));
        CHECK(!opt->no_link);
    }
}

static void check_incoming(struct trace *t)
{
    CHECK(!t->is_retired || !t->incoming);
    for (struct exit *x = ref_ptr(t->incoming); x; x = next_incoming(x->next_in))
        CHECK(linked_to(x) == t);
}

static void check_pages(struct trace *t, struct tally *tally)
{
    for (u32 i = 0; i < t->n_pages; i++) {
        addr_t page = node_page(trace_page(t, i));
        CHECK(node_trace(trace_page(t, i)) == t);
        CHECK(page % PAGE_SIZE == 0 && cache_page_has_code(page));
        for (u32 r = 0; r < N_REGIONS; r++)
            if (page >= region_base[r] && page < region_base[r] + sizeof toy_text[0])
                tally->has_code[r][(page - region_base[r]) / PAGE_SIZE] = true;
    }
}

static void check_trace(struct block *b, struct trace *t, struct tally *tally)
{
    CHECK(is_object_of(b, t));
    CHECK(trace_code(t) - t->prefix >= b->base && trace_code(t) + t->size <= b->body);
    CHECK(cache_ptr(t->stub_lo) >= b->stub);
    for (u32 i = 0; i < t->n_exits; i++)
        check_exit(t, &trace_exits(t)[i]);
    check_incoming(t);
    if (t->is_retired) {
        CHECK(cache_find(t->pc) != t);
        return;
    }
    CHECK(!b->retired && cache_find(t->pc) == t);
    check_pages(t, tally);
    tally->live++;
}

static void check_block(struct block *b, void *arg)
{
    struct tally *tally = arg;
    u32 before = tally->live, last = 0;
    CHECK(b->base <= b->body && b->body <= b->stub && b->stub <= b->end && b->n_traces <= b->max_traces);
    for (u32 i = 0; i < b->n_traces; i++) {
        struct trace *t = ref_ptr(b->traces[i]);
        CHECK(t->code - t->prefix >= last && block_of((addr_t)trace_code(t)) == b);
        last = t->code + t->size;
        check_trace(b, t, tally);
    }
    CHECK(b->n_live >= tally->live - before);           /* pieces count too */
    CHECK(b->n_live || b->retired || b == block_current());
    CHECK(!b->retired || b != block_current());
}

/* Blocks in use stay within the limit, as long as no single trace needs more. */
static void check_limit(const struct cache_sizes *s)
{
    if (opt->cache_limit >= opt->cache_block)
        CHECK(s->blocks * opt->cache_block <= opt->cache_limit);
}

void check_invariants(void)
{
    static struct tally tally;
    struct cache_sizes s;
    memset(&tally, 0, sizeof tally);
    block_for_each(check_block, &tally);
    for (u32 r = 0; r < N_REGIONS; r++)
        for (u32 p = 0; p < REGION_PAGES; p++)
            CHECK(cache_page_has_code(region_base[r] + p * PAGE_SIZE) == tally.has_code[r][p]);
    cache_measure(&s);
    CHECK(s.traces >= tally.live);
    check_limit(&s);
    check_landings();
}
