/* cache.c: linking, invalidation, flush, delayed reclaim, and the way back from a cache address. */
#include "base/heap.h"
#include "engine/stats.h"
#include "toy.h"

#define A region_base[0]

/* At A + 0x20 i: inc r0; jmp to the next of n, the last one to the first. */
static void ring(u32 n)
{
    for (u32 i = 0; i < n; i++) {
        s32 d = i + 1 < n ? 0x20 - 4 : -(s32)(0x20 * i) - 4;
        PUT(toy_text[0] + 0x20 * i, OP_INC, OP_JMP, (u8)d, (u8)(d >> 8));
    }
}

static void link_and_unlink(void)
{
    toy_reset();
    opt->max_trace_ins = 2;
    ring(3);
    struct trace *a = toy_get(A), *b = toy_get(A + 0x20), *c = toy_get(A + 0x40);
    cache_link(&trace_exits(a)[0], b);
    cache_link(&trace_exits(a)[0], b);                      /* again: nothing happens */
    cache_link(&trace_exits(b)[0], c);
    cache_link(&trace_exits(c)[0], a);
    check_invariants();
    CHECK(b->incoming && c->incoming && a->incoming);
    cache_unlink(b);
    CHECK(!b->incoming && !c->incoming && !exit_is_linked(&trace_exits(a)[0]) && !exit_is_linked(&trace_exits(b)[0]) && exit_is_linked(&trace_exits(c)[0]));
    check_invariants();
    cache_link(&trace_exits(b)[0], c);
    CHECK(cache_invalidate(A + 0x20, A + 0x21) == 3 && b->is_retired);      /* all on one page */
    check_invariants();
    cache_link(&trace_exits(b)[0], toy_get(A));             /* from a retired trace: refused */
    CHECK(!exit_is_linked(&trace_exits(b)[0]));
    check_invariants();
}

static void link_to_itself(void)
{
    toy_reset();
    PUT(toy_text[0], OP_INC, OP_JMP, 0xfc, 0xff);
    struct trace *t = toy_get(A);
    cache_link(&trace_exits(t)[0], t);
    CHECK(t->incoming);
    check_invariants();
    CHECK(cache_invalidate(A, A + 1) == 1);
    CHECK(!t->incoming && !exit_is_linked(&trace_exits(t)[0]));
    opt->no_link = 1;
    t = toy_get(A);
    cache_link(&trace_exits(t)[0], t);
    CHECK(!t->incoming);
}

static void invalidate_ranges(void)
{
    toy_reset();
    for (u32 p = 0; p < REGION_PAGES; p++)
        for (u32 r = 0; r < N_REGIONS; r++) {
            toy_text[r][p * PAGE_SIZE + 100] = OP_RET;
            toy_get(region_base[r] + p * PAGE_SIZE + 100);
        }
    CHECK(cache_invalidate(A + PAGE_SIZE + 5, A + PAGE_SIZE + 6) == 1);
    CHECK(cache_find(A + 100) && !cache_find(A + PAGE_SIZE + 100) && cache_find(A + 2 * PAGE_SIZE + 100));
    CHECK(cache_invalidate(A + 3 * PAGE_SIZE - 1, A + 3 * PAGE_SIZE + 1) == 2);
    CHECK(cache_invalidate(0x10000, 0x20000) == 0);
    CHECK(cache_invalidate(0, region_base[2] + PAGE_SIZE) == 5 + 1);        /* larger than the table: by a scan */
    check_invariants();
    CHECK(cache_invalidate(0, 1ull << 47) == 7 + 8);
    check_invariants();
}

/* A thread inside keeps the bytes and the record of a retired trace; when it has left, both go. */
static void reclaim_waits(bool by_flush)
{
    toy_reset();
    ring(2);
    u64 before = heap_live_objects();
    struct trace *t = toy_get(A);
    u64 one = heap_live_objects() - before;
    struct place at;
    struct block *b = block_of((addr_t)trace_code(t));
    addr_t code = (addr_t)trace_code(t);
    sims[0].epoch = cache_epoch();
    if (by_flush)
        cache_flush_all();
    else
        cache_invalidate(A, A + 1);
    if (!by_flush)
        block_new();                                        /* the old one was the current block */
    cache_reclaim();
    CHECK(t->is_retired && b->retired && b->n_traces == 1 && cache_locate(code, &at) && at.pc == A);
    sims[1].epoch = cache_epoch();                          /* entered later: does not matter */
    sims[0].epoch = 0;
    cache_invalidate(A, A + 1);
    cache_reclaim();
    if (!by_flush) {                                        /* block_new retired it in the present epoch */
        sims[1].epoch = 0;
        toy_get(A);
        cache_invalidate(A, A + 1);
        cache_reclaim();
    }
    CHECK(b->n_traces == 0 && *(u8 *)code == OP_X_FILL && !cache_locate(code, &at));
    CHECK(one >= 1);
    sims[1].epoch = 0;
    check_invariants();
}

static void full_cache_is_flushed(void)
{
    toy_reset();
    opt->cache_limit = 4 * opt->cache_block;
    memset(toy_text[0], OP_NOP, sizeof toy_text[0]);
    u64 flushes = stats.flushes;
    struct cache_sizes s;
    for (addr_t pc = A; pc < A + 4 * PAGE_SIZE; pc++) {
        toy_get(pc);
        cache_measure(&s);
        CHECK(s.blocks <= 4);
        cache_reclaim();
    }
    CHECK(stats.flushes > flushes + 3);
    check_invariants();
}

/* As long as a thread is inside, nothing of what it may run is used again. */
static void flush_with_a_thread_inside(void)
{
    toy_reset();
    opt->cache_limit = 4 * opt->cache_block;
    memset(toy_text[0], OP_NOP, sizeof toy_text[0]);
    struct trace *t = toy_get(A);
    u8 copy[64];
    memcpy(copy, trace_code(t), MIN(t->size, sizeof copy));
    sims[0].epoch = cache_epoch();
    for (addr_t pc = A + 1; pc < A + 3 * PAGE_SIZE; pc++) {
        toy_get(pc);
        cache_reclaim();
    }
    CHECK(t->is_retired && !memcmp(copy, trace_code(t), MIN(t->size, sizeof copy)));
    sims[0].epoch = 0;
    cache_flush_all();
    cache_reclaim();
    check_invariants();
}

static void locate(void)
{
    struct fetch_fault f;
    struct place at;
    toy_reset();
    PUT(toy_text[0], OP_INC, OP_MOV + 1, 7, OP_ADD, 1, OP_JMP, 0x10, 0, OP_BAD);
    PUT(toy_text[0] + 0x18, OP_INC + 2, OP_JZ, 0x20, OP_RET);
    struct trace *t = jit_get(A, 0, ENTRY_INDIRECT, NULL, &f);
    addr_t code = (addr_t)trace_code(t);
    static const u8 where[] = { 0, 1, 3, 0x18, 0x19, 0x1b };
    CHECK(t->prefix == 2 && cache_locate(code - 1, &at) && at.pc == A && !at.at_start && at.trace == t);
    for (u32 i = 0, n = 0; i < t->size; i++) {
        CHECK(cache_locate(code + i, &at) && at.trace == t);
        CHECK(!at.at_start || at.pc == A + where[n]);
        CHECK(at.restore == (at.pc == A + 3 ? 5 : 0));
        n += at.at_start;
        CHECK(i + 1 < t->size || n == ARRAY_LEN(where));
    }
    CHECK(!cache_locate(code + t->size, &at) && !cache_locate(code - 3, &at));
    CHECK(!cache_locate((addr_t)cache_ptr(t->stub_lo), &at));
    CHECK(!cache_locate(PRIV_CACHE_END - 1, &at) && !cache_locate(A, &at));
}

static void pieces(void)
{
    toy_reset();
    toy_text[0][0] = OP_RET;
    toy_get(A);
    u8 *p = cache_piece(24);
    struct block *b = block_of((addr_t)p);
    CHECK(p && p + 24 <= b->end && b->n_live == 2);
    block_new();
    cache_invalidate(A, A + 1);
    CHECK(!b->retired);                                     /* the piece holds it */
    cache_piece_release(p);
    CHECK(b->retired);
    CHECK(!cache_piece((u32)opt->cache_block));
    check_invariants();
}

static void many_traces(void)
{
    toy_reset();
    for (u32 r = 0; r < N_REGIONS; r++)
        memset(toy_text[r], OP_RET, sizeof toy_text[r]);
    for (u32 i = 0; i < sizeof toy_text[0]; i += 4)
        for (u32 r = 0; r < N_REGIONS; r++)
            toy_get(region_base[r] + i);
    for (u32 i = 0; i < sizeof toy_text[0]; i++)            /* the tables have grown by now */
        for (u32 r = 0; r < N_REGIONS; r++)
            CHECK(!cache_find(region_base[r] + i) == (i % 4 != 0));
    CHECK(cache_invalidate(0, 1ull << 47) == sizeof toy_text / 4);
    check_invariants();
}

void test_cache(void)
{
    link_and_unlink();
    link_to_itself();
    invalidate_ranges();
    reclaim_waits(false);
    reclaim_waits(true);
    full_cache_is_flushed();
    flush_with_a_thread_inside();
    locate();
    pieces();
    many_traces();
}
