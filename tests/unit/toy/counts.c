/* counts.c: calls that only count, merged, moved and promoted: whoever looks finds what the book says. */
#include "engine/hooks.h"
#include "engine/jit/optreport.h"
#include "engine/jit/promote.h"
#include "machine.h"

#define A region_base[0]
void (*toy_look)(void);

static u64 n_reported;
void optreport_counted(const struct call *c) { n_reported++; }

static u64 started, behind_plain[3];
static u32 look_every;                      /* a call that looks, before each so manieth instruction; 0: none */

static void ask(u32 i, enum point p, const void *fn)
{
    struct call *c = instr_new_call(0);
    c->fn = fn;
    instr_add(i, p, c);
}

static void ask_for_counts(const struct view *v)
{
    for (u32 i = 0; i < v->n; i++) {
        ask(i, POINT_BEFORE, &started);
        if (look_every && v->insn[i].pc % look_every == 0)
            ask(i, POINT_BEFORE, &toy_look);
        if (v->insn[i].kind == INSN_PLAIN)
            ask(i, POINT_AFTER, &behind_plain[v->insn[i].pc % 3]);
    }
}

static void look(void)
{
    promote_fold();
    CHECK(started == sims[0].n_steps + 1);
}

/* Blocks of plain instructions; each ends in a branch to another one. None leads to itself at once. */
enum { BLOCKS = 12, BLOCK_BYTES = 10 };
static void make_program(void)
{
    for (u32 b = 0; b < BLOCKS; b++) {
        u8 *p = toy_text[0] + b * BLOCK_BYTES;
        for (u32 k = 0; k < 5; k++)
            p = PUT(p, (u8)(toy_random(4) ? OP_INC + toy_random(4) : OP_NOP));
        u32 to = (b + 1 + toy_random(BLOCKS - 1)) % BLOCKS;
        s32 at = (s32)(to * BLOCK_BYTES) - (s32)(b * BLOCK_BYTES + 7);
        p = PUT(p, (u8)(OP_JZ + toy_random(4)), (u8)at);
        to = (b + 1 + toy_random(BLOCKS - 1)) % BLOCKS;
        at = (s32)(to * BLOCK_BYTES) - (s32)(b * BLOCK_BYTES + 10);
        PUT(p, OP_JMP, (u8)at, (u8)(at >> 8));
    }
}

static void run(u32 level, u32 looks)
{
    toy_reset();
    opt->opt_level = level;
    look_every = looks;
    hooks.instrument = ask_for_counts;
    toy_look = look;
    make_program();
    struct sim *s = &sims[0];
    started = s->n_steps = 0;
    memset(behind_plain, 0, sizeof behind_plain);
    memset(s->arch.regs.r, 0, sizeof s->arch.regs.r);
    sim_start(s, A);
    for (u32 round = 0; round < 200; round++) {
        for (u32 n = toy_random(60); n; n--)
            CHECK(sim_step(s));
        sim_interrupt(s);
        promote_fold();
        CHECK(started == s->n_steps);
    }
    u64 plain = behind_plain[0] + behind_plain[1] + behind_plain[2];
    CHECK(plain && plain < started);
    sims[0] = (struct sim){ 0 };
    cache_flush_all();
}

/* The point of it all: one sum for the instructions of a block, if nothing is asked for between them. */
static void ask_before(const struct view *v)
{
    for (u32 i = 0; i < v->n; i++)
        ask(i, POINT_BEFORE, &started);
}

/* Instruction by instruction: an address or a displacement may hold any byte. */
static u32 sums_in(struct trace *t)
{
    u32 n = 0;
    u8 *p = trace_code(t), *end = p + t->size;
    for (; p < end; p += toy_length(p))
        n += *p == OP_X_ADD;
    CHECK(p == end);
    return n;
}

static void merged(void)
{
    toy_reset();
    hooks.instrument = ask_before;
    memset(toy_text[0], OP_INC, 6);
    PUT(toy_text[0] + 6, OP_JZ, 0x30);
    memset(toy_text[0] + 8, OP_INC, 5);
    PUT(toy_text[0] + 13, OP_BAD);
    opt->opt_level = OPT_REGALLOC;
    CHECK(sums_in(toy_get(A)) == 0);                 /* calls, one each */
    cache_flush_all();
    opt->opt_level = OPT_SCHEDULE;
    CHECK(sums_in(toy_get(A)) == 2);
    cache_flush_all();
}

void test_counts(void)
{
    for (u32 level = OPT_REGALLOC; level <= OPT_PROMOTE; level++)
        for (u32 looks = 0; looks < 5; looks++)
            for (u32 again = 0; again < 4; again++)
                run(level, looks);
    merged();
    CHECK(n_reported);
    hooks.instrument = NULL;
}
