/* random.c: random programs, random threads, random operations; the invariants are checked after each. */
#include "base/heap.h"
#include "engine/stats.h"
#include "machine.h"

/* ---- programs ---- */
static u8 *random_insn(u8 *p)
{
    static const u8 plain[] = { OP_NOP, OP_INC, OP_INC + 1, OP_INC + 2, OP_INC + 3, OP_WAIT };
    u32 what = toy_random(100);
    u8 small = (u8)toy_random(0x23), any = (u8)toy_random(256);
    if (what < 40)
        return PUT(p, plain[toy_random(ARRAY_LEN(plain))]);
    if (what < 50)
        return PUT(p, (u8)(OP_MOV + toy_random(4)), small);
    if (what < 58)
        return PUT(p, OP_ADD, small);
    if (what < 76)
        return PUT(p, (u8)(OP_JZ + toy_random(4)), any);
    if (what < 81)
        return PUT(p, OP_JMP, any, (u8)(toy_random(8) - 4));
    if (what < 86)
        return PUT(p, OP_CALL, any, (u8)(toy_random(8) - 4));
    static const u8 odd[] = { OP_RET, OP_RET, OP_RET, OP_JMP_IND, OP_CALL_IND, OP_EMU };
    if (what < 92)
        return PUT(p, odd[toy_random(ARRAY_LEN(odd))]);
    if (what < 95)
        return PUT(p, OP_SYS, small);
    if (what < 99)
        return PUT(p, OP_FAR, any);
    return PUT(p, OP_BAD);
}

static addr_t random_pc(void) { return region_base[toy_random(N_REGIONS)] + toy_random(sizeof toy_text[0]); }

static void random_program(void)
{
    for (u32 r = 0; r < N_REGIONS; r++)
        for (u8 *p = toy_text[r]; p + 3 < toy_text[r] + sizeof toy_text[r];)
            p = random_insn(p);
    for (u32 i = 0; i < N_PLACES; i++)
        toy_place[i] = random_pc();
    for (u32 i = 0; i < N_THREADS; i++)
        sim_start(&sims[i], random_pc());
}

/* ---- operations ---- */
enum { MAX_PIECES = 16 };
static u8 *piece[MAX_PIECES];
static u64 flushes_seen;

static void forget_flushed_pieces(void)
{
    if (flushes_seen != stats.flushes)
        memset(piece, 0, sizeof piece);
    flushes_seen = stats.flushes;
}

static void run_some(void)
{
    struct sim *s = &sims[toy_random(N_THREADS)];
    for (u32 n = toy_random(300); n; n--)
        if (!sim_step(s)) {
            sim_start(s, random_pc());
            break;
        }
}

static void invalidate_some(void)
{
    addr_t lo = random_pc();
    cache_invalidate(lo, lo + 1 + (toy_random(3) ? 0 : toy_random(3 * PAGE_SIZE)));
}

static void invalidate_much(void) { cache_invalidate(toy_random(2) ? 0 : region_base[2], 1ull << 47); }

static void all_out(void)
{
    for (u32 i = 0; i < N_THREADS; i++)
        sim_interrupt(&sims[i]);
}

/* Code is changed while nobody runs it: the book knows one version only. */
static void rewrite(void)
{
    all_out();
    u32 region = toy_random(N_REGIONS), at = toy_random(sizeof toy_text[0] - 3);
    random_insn(&toy_text[region][at]);
    cache_invalidate(region_base[region] + at, region_base[region] + at + 3);
}

static void remap(void)
{
    all_out();
    addr_t pc = random_pc();
    toy_unmap(pc, toy_random(2));
    cache_invalidate(pc, pc + 1);
}

static void run_once(void)
{
    struct sim *s = &sims[toy_random(N_THREADS)];
    sim_interrupt(s);
    sim_run_once(s);
}

static void use_pieces(void)
{
    u8 **p = &piece[toy_random(MAX_PIECES)];
    if (*p)
        cache_piece_release(*p);
    *p = *p ? NULL : cache_piece(16 + toy_random(64));
}

static void random_operation(void)
{
    switch (toy_random(24)) {
    case 0: case 1: invalidate_some(); break;
    case 2: invalidate_much(); break;
    case 3: if (!toy_random(4)) cache_flush_all(); break;
    case 4: case 5: rewrite(); break;
    case 6: if (!toy_random(4)) remap(); break;
    case 7: run_once(); break;
    case 8: use_pieces(); break;
    case 9: all_out(); cache_reclaim(); break;
    default: run_some();
    }
    forget_flushed_pieces();
}

static void find_exactly_the_live(void)
{
    for (u32 r = 0; r < N_REGIONS; r++)
        for (u32 i = 0; i < sizeof toy_text[0]; i++) {
            struct trace *t = cache_find(region_base[r] + i);
            CHECK(!t || (t->pc == region_base[r] + i && !t->is_retired));
        }
}

static void count_block(struct block *b, void *n) { ++*(u64 *)n; CHECK(b->retired || b == block_current()); }

/* When everybody has left and all is flushed, only the blocks themselves and two tables are left. */
static u64 objects_at_rest(void)
{
    u64 blocks = 0;
    all_out();
    memset(sims, 0, sizeof sims);
    cache_flush_all();
    cache_reclaim();
    memset(piece, 0, sizeof piece);
    block_for_each(count_block, &blocks);
    return heap_live_objects() - 2 * blocks;
}

static void one_round(u32 steps)
{
    toy_reset();
    opt->cache_limit = (2 + toy_random(8)) * opt->cache_block;
    opt->max_trace_ins = 1 + toy_random(64);
    opt->random_layout = toy_random(4) ? 0 : 77;
    opt->no_link = toy_random(10) == 0;
    toy_follows_calls = toy_random(2);
    random_program();
    forget_flushed_pieces();
    while (steps--) {
        random_operation();
        check_invariants();
        if (steps % 256 == 0)
            find_exactly_the_live();
    }
}

void test_random(u32 steps)
{
    enum { ROUND = 500 };
    u64 at_rest = 0;
    for (u32 n = 0; n * ROUND < steps; n++) {
        one_round(ROUND);
        u64 now = objects_at_rest();
        CHECK(!n || now == at_rest);
        at_rest = now;
    }
}
