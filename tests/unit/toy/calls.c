/* calls.c: analysis calls in traces: each is made exactly when it should be. */
#include "base/heap.h"
#include "engine/hooks.h"
#include "machine.h"

#define A region_base[0]

enum { N_COUNTERS = 512 };
static u64 count[N_POINTS][N_COUNTERS];     /* by the instruction's address, modulo */
static u32 copies;                          /* how many calls at each point */

static void ask(u32 i, enum point p, addr_t pc)
{
    for (u32 k = 0; k < copies; k++) {
        struct call *c = instr_new_call(0);
        c->fn = &count[p][pc % N_COUNTERS];
        instr_add(i, p, c);
    }
}

static bool has_fall_through(const struct insn *in) { return in->kind == INSN_PLAIN || in->kind == INSN_COND; }

static void ask_for_all(const struct view *v)
{
    memset(instr_keep(24), 1, 24);
    for (u32 i = 0; i < v->n; i++) {
        ask(i, POINT_BEFORE, v->insn[i].pc);
        if (has_fall_through(&v->insn[i]))
            ask(i, POINT_AFTER, v->insn[i].pc);
        if (v->insn[i].kind == INSN_COND || v->insn[i].kind == INSN_JUMP)
            ask(i, POINT_TAKEN, v->insn[i].pc);
    }
}

static void run_to_trap(u32 want_copies)
{
    copies = want_copies;
    memset(count, 0, sizeof count);
    sim_start(&sims[0], A);
    while (sim_step(&sims[0]))
        ;
    sims[0].epoch = 0;
}

/* r1 counts up to 256 - 250 by a loop of conditional branches. */
static void loop(void)
{
    toy_reset();
    hooks.instrument = ask_for_all;
    u8 *p = toy_text[0];
    PUT(p, OP_MOV, 0, OP_MOV + 1, 1, OP_ADD, 5, OP_ADD, 5, OP_JZ + 1, 3, OP_JMP, 0xf7, 0xff, OP_BAD);
    run_to_trap(1);
    CHECK(count[POINT_BEFORE][(A + 2) % N_COUNTERS] == 1);
    u64 n = count[POINT_BEFORE][(A + 8) % N_COUNTERS];
    CHECK(n == 16);                                          /* 4 to the 16th is 0 */
    CHECK(count[POINT_AFTER][(A + 8) % N_COUNTERS] == n - 1 && count[POINT_TAKEN][(A + 8) % N_COUNTERS] == 1);
    CHECK(count[POINT_BEFORE][(A + 10) % N_COUNTERS] == n - 1 && count[POINT_TAKEN][(A + 10) % N_COUNTERS] == n - 1);
    run_to_trap(3);                                          /* the traces are there: nothing is asked for again */
    CHECK(count[POINT_BEFORE][(A + 8) % N_COUNTERS] == 16);
    check_invariants();
}

/* So many calls that a trace must be shorter. */
static void shortened(void)
{
    toy_reset();
    hooks.instrument = ask_for_all;
    copies = 100;
    memset(toy_text[0], OP_INC, 400);
    struct trace *t = toy_get(A);
    CHECK(t->n_insns >= 1 && t->n_insns < 64 && t->n_exits == 1);
    check_invariants();
    memset(toy_text[0], OP_WAIT, 400);
    cache_invalidate(A, A + 1);
    t = toy_get(A);
    CHECK(t->n_insns >= 1);
}

/* A trace that runs once does not repeat what was done before its instruction. */
static void once(void)
{
    struct fetch_fault f;
    toy_reset();
    hooks.instrument = ask_for_all;
    memset(toy_text[0], OP_INC, 4);
    copies = 1;
    memset(count, 0, sizeof count);
    sims[0].code = trace_code(jit_once(A, false, &f));
    for (bool trapped = false; sims[0].code && !trapped;)
        sims[0].code = toy_run(&sims[0].arch, sims[0].code, &trapped);
    CHECK(!count[POINT_BEFORE][A % N_COUNTERS] && count[POINT_AFTER][A % N_COUNTERS] == 1);
    sims[0] = (struct sim){ 0 };
}

static void count_chunks(struct block *b, void *n)
{
    for (struct chunk *c = b->chunks; c; c = c->next)
        ++*(u64 *)n;
}

/* What a trace kept goes with it, and so does the memory of its block. */
static void kept_memory(void)
{
    toy_reset();
    hooks.instrument = ask_for_all;
    copies = 1;
    memset(toy_text[0], OP_INC, 400);
    toy_get(A);
    cache_flush_all();
    cache_reclaim();
    u64 before = heap_live_objects();
    for (u32 i = 0; i < 20; i++)
        toy_get(A + i);
    enum { THEIR_PAGE = 1 };
    u64 chunks = 0;
    block_for_each(count_chunks, &chunks);
    CHECK(chunks && heap_live_objects() == before + 20 + chunks + THEIR_PAGE);
    cache_flush_all();
    cache_reclaim();
    CHECK(heap_live_objects() == before);
}

void test_calls(void)
{
    loop();
    shortened();
    once();
    kept_memory();
    hooks.instrument = NULL;
}
