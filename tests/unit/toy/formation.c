/* formation.c: where a trace begins and ends. */
#include "base/heap.h"
#include "engine/jit/replace.h"
#include "toy.h"

#define A region_base[0]

static struct exit *last_exit(struct trace *t) { return &trace_exits(t)[t->n_exits - 1]; }

static void nops(u8 *p, u32 n)
{
    memset(p, OP_NOP, n);
}

static void straight_line(void)
{
    toy_reset();
    nops(toy_text[0], 1000);
    struct trace *t = toy_get(A);
    CHECK(t->n_insns == 64 && t->n_exits == 1 && exit_target(last_exit(t)) == A + 64 && t->app_bytes == 64);
    opt->max_trace_ins = 7;
    t = toy_get(A + 500);
    CHECK(t->n_insns == 7 && exit_target(last_exit(t)) == A + 507);
    CHECK(toy_get(A) != t && toy_get(A + 500) == t);        /* made once */
}

static void conditional_branches(void)
{
    toy_reset();
    u8 *p = toy_text[0];
    for (u32 i = 0; i < 6; i++)
        p = PUT(p, OP_INC, OP_JZ + 1, 0x20);
    struct trace *t = toy_get(A);
    CHECK(t->n_insns == 8 && t->n_exits == 5 && exit_target(last_exit(t)) == A + 12);
    CHECK(exit_target(&trace_exits(t)[0]) == A + 3 + 0x20 && trace_exits(t)[0].insn_len == 2);
    opt->max_trace_bbl = 1;
    t = toy_get(A + 1);
    CHECK(t->n_insns == 1 && t->n_exits == 2);
}

static void jumps_are_followed(void)
{
    toy_reset();
    u8 *p = toy_text[0];
    PUT(p, OP_INC, OP_JMP, 0x10, 0x00);                     /* to A + 0x14 */
    PUT(p + 0x14, OP_INC, OP_JMP, 0xe9, 0xff);              /* back to A + 1 */
    struct trace *t = toy_get(A);
    CHECK(t->n_insns == 4 && t->n_exits == 1 && exit_target(last_exit(t)) == A + 1);
    PUT(p + 0x100, OP_JMP, 0xfd, 0xff);                     /* to itself */
    t = toy_get(A + 0x100);
    CHECK(t->n_insns == 1 && exit_target(last_exit(t)) == A + 0x100);
}

static void existing_traces_end_it(void)
{
    toy_reset();
    u8 *p = toy_text[0];
    nops(p, 64);
    PUT(p, OP_JMP, 0x0d, 0x00);                             /* to A + 0x10 */
    struct trace *there = toy_get(A + 0x10), *t = toy_get(A);
    CHECK(t->n_insns == 1 && exit_target(last_exit(t)) == there->pc);
    PUT(p + 0x200, OP_NOP, OP_JZ, 0x20, OP_NOP, OP_NOP, OP_RET);
    there = toy_get(A + 0x203);
    t = toy_get(A + 0x200);
    CHECK(t->n_insns == 2 && exit_target(last_exit(t)) == there->pc);
    t = toy_get(A + 0x204);                                 /* not at the start of a block: goes on into old code */
    CHECK(t->n_insns == 2);
}

static void check_end(const u8 *code, u32 n, u32 n_insns, u32 n_exits)
{
    memcpy(toy_text[0], code, n);
    struct trace *t = toy_get(A);
    CHECK(t->n_insns == n_insns && t->n_exits == n_exits);
    cache_invalidate(A, A + 1);
}
#define ENDS(insns, exits, ...) check_end((u8[]){ __VA_ARGS__ }, sizeof (u8[]){ __VA_ARGS__ }, insns, exits)

static void transfers_end_it(void)
{
    toy_reset();
    ENDS(2, 0, OP_NOP, OP_RET, OP_NOP);
    ENDS(2, 0, OP_NOP, OP_JMP_IND, OP_NOP);
    ENDS(2, 0, OP_NOP, OP_CALL_IND, OP_NOP);
    ENDS(2, 1, OP_NOP, OP_CALL, 0, 0, OP_NOP);
    ENDS(2, 1, OP_NOP, OP_SYS, 3, OP_NOP);
    ENDS(2, 1, OP_NOP, OP_EMU, OP_NOP);
    ENDS(2, 1, OP_NOP, OP_BAD, OP_NOP);
    CHECK(!cache_page_has_code(A));
    toy_follows_calls = true;
    ENDS(5, 2, OP_CALL, 0, 0, OP_NOP, OP_CALL_IND, OP_NOP, OP_EMU);
    ENDS(6, 5, OP_JZ, 9, OP_JZ, 9, OP_JZ, 9, OP_CALL, 0, 0, OP_JZ, 9, OP_RET);   /* counted afresh */
}

static void a_wait_is_the_last(void)
{
    toy_reset();
    nops(toy_text[0], 1000);
    toy_text[0][20] = OP_WAIT;
    CHECK(toy_get(A)->n_insns == 21);
    memset(toy_text[0] + 1000, OP_WAIT, 2000);
    CHECK(toy_get(A + 1000)->n_insns == 1);
}

static void faults(void)
{
    struct fetch_fault f;
    toy_reset();
    addr_t edge = A + PAGE_SIZE;
    nops(toy_text[0] + PAGE_SIZE - 3, 2);
    PUT(toy_text[0] + PAGE_SIZE - 1, OP_MOV, 5, OP_RET);
    struct trace *t = toy_get(edge - 3);
    CHECK(t->n_insns == 4 && t->n_pages == 2);
    cache_invalidate(edge, edge + 1);
    CHECK(!cache_find(edge - 3) && !cache_page_has_code(A));
    toy_unmap(edge, true);
    t = toy_get(edge - 3);
    CHECK(t->n_insns == 2 && exit_target(last_exit(t)) == edge - 1);
    CHECK(!jit_get(edge - 1, 0, ENTRY_JUMP, NULL, &f) && f.address == edge);
    CHECK(!jit_get(edge + 5, 0, ENTRY_JUMP, NULL, &f) && f.address == edge + 5);
    CHECK(!jit_get(0x1234, 0, ENTRY_JUMP, NULL, &f) && f.address == 0x1234);
}

static void far_jumps_are_cut(void)
{
    toy_reset();
    toy_place[7] = region_base[1] + 0x30;
    PUT(toy_text[0], OP_NOP, OP_FAR, 7);
    PUT(toy_text[1] + 0x30, OP_NOP, OP_RET);
    struct trace *t = toy_get(A);
    CHECK(t->n_insns == 2 && exit_target(last_exit(t)) == toy_place[7]);
    toy_place[7] = region_base[2] + 0x30;                   /* within reach */
    PUT(toy_text[2] + 0x30, OP_NOP, OP_RET);
    PUT(toy_text[0] + 0x50, OP_NOP, OP_FAR, 7);
    CHECK(toy_get(A + 0x50)->n_insns == 4);
}

static void options_shorten(void)
{
    toy_reset();
    nops(toy_text[0], 4000);
    opt->trace_to = 0;
    CHECK(toy_get(A)->n_insns == 1);
    opt->trace_to = ~0ull;
    opt->trace_from = ~0ull;
    CHECK(toy_get(A + 1)->n_insns == 1);
    opt->trace_from = 0;
    opt->random_layout = 99;
    u32 longest = 0, shortest = 99;
    for (u32 i = 0; i < 200; i++) {
        u32 n = toy_get(A + 10 + i)->n_insns;
        longest = MAX(longest, n);
        shortest = MIN(shortest, n);
    }
    CHECK(longest <= 64 && longest > 50 && shortest >= 1 && shortest < 10);
    opt->random_layout = 0;
    check_invariants();
}

static void once(void)
{
    struct fetch_fault f;
    toy_reset();
    nops(toy_text[0], 100);
    struct trace *t = jit_once(A, false, &f);
    CHECK(t->n_insns == 1 && t->is_retired && !cache_find(A) && !cache_page_has_code(A));
    CHECK(toy_get(A) != t);
    toy_text[0][200] = OP_EMU;
    CHECK(trace_exits(jit_once(A + 200, false, &f))[0].kind == EXIT_EMULATE);
    CHECK(trace_exits(jit_once(A + 200, true, &f))[0].kind == EXIT_JUMP);
}

/* Nobody runs into the entry of a replaced routine; its own code is a trace of another version. */
static void replaced_routines(void)
{
    struct fetch_fault f;
    struct call c = { .fn = NULL };
    toy_reset();
    nops(toy_text[0], 100);
    struct trace *old = toy_get(A);
    replace_add(A + 10, &c, false, false);
    CHECK(old->is_retired && replace_has(A + 10) && !replace_has(A));
    struct trace *t = toy_get(A), *entry = toy_get(A + 10);
    CHECK(t->n_insns == 10 && exit_target(last_exit(t)) == A + 10);
    CHECK(entry->n_insns == 1 && entry->n_exits == 1 && last_exit(entry)->kind == EXIT_REPLACE);
    struct trace *original = jit_get(A + 10, VERSION_ORIGINAL, ENTRY_JUMP, NULL, &f);
    CHECK(original != entry && original->n_insns == 64 && toy_get(A + 10) == entry);
    CHECK(jit_get(A + 10, VERSION_ORIGINAL, ENTRY_JUMP, NULL, &f) == original);
    replace_remove(A, A + 100);
    cache_invalidate(A, A + 100);
    CHECK(original->is_retired && toy_get(A + 10)->n_insns == 64);
}

void test_formation(void)
{
    straight_line();
    conditional_branches();
    jumps_are_followed();
    existing_traces_end_it();
    transfers_end_it();
    a_wait_is_the_last();
    faults();
    far_jumps_are_cut();
    options_shorten();
    once();
    replaced_routines();
}
