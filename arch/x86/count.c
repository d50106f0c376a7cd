/* count.c: sums in words of memory, in the trace itself (engine/jit/promote.h). Where the flags are dead a sum is one
 * instruction. Elsewhere it goes through a register: r11 where it is the engine's (r11.h), a dead one, or the one that is
 * needed last. */
#include "arch/x86/inline.h"
#include "arch/x86/r11.h"
#include "engine/jit/promote.h"

enum { COUNT_SLOT = 3 };

/* The body of an inlined routine: words that it names, or anything. */
enum arch_sight arch_sight(const struct call *c, u64 *words, u32 *n)
{
    const struct body *b = c->fn && !(c->flags & CALL_BUFFER) ? x86_body(c->fn) : NULL;
    for (u32 i = 0; b && i < b->n; i++) {
        const struct body_insn *in = &b->insn[i];
        if (!in->u.touches_memory || in->x.seg == X86_SEG_FS)
            continue;
        if (!in->x.rip_rel || *n + 2 > MAX_SEEN_WORDS)
            return SEES_ANY;
        u64 at = ((u64)in->at + in->x.len + (u64)(s64)in->x.disp) & ~7ull;
        words[(*n)++] = at;
        words[(*n)++] = at + 4;
    }
    return *n ? SEES_WORDS : SEES_NONE;
}

bool arch_reaches(u64 at) { return at >= PRIV_LO && at < PRIV_CACHE + 0x7f000000ull; }

/* Near memory is low, and named by an absolute address. Relative to rip, Intel's CPUs take seven cycles from one addition to a word to
 * the next; by any other operand they forward it at once. */
static bool is_low(u64 at) { return at < 0x80000000u; }

/* op [word], reg; kind: as a count's `buffer`; tail: bytes of the instruction that follow */
static void put_op_word(struct emit *e, u64 at, u8 kind, u8 op, u32 reg, u32 tail)
{
    bool is_tls = kind & COUNT_TLS, is_absolute = is_tls || is_low(at);
    if (is_tls)
        put8(e, 0x64);
    put8(e, rex((kind & ~COUNT_TLS) == 8, reg, 0, 0));
    put8(e, op);
    put8(e, modrm(0, reg, is_absolute ? 4 : 5));
    if (is_absolute)
        put8(e, 0x25);
    put32(e, (u32)(is_absolute ? at : at - ((u64)e->p + 4 + tail)));
}

static void put_op(struct emit *e, const struct call *c, u8 op, u32 reg, u32 tail)
{
    put_op_word(e, count_at(c), c->buffer, op, reg, tail);
}

static void put_add(struct emit *e, const struct call *c)
{
    s32 amount = (s32)count_amount(c);
    bool is_byte = amount == (int8_t)amount;
    put_op(e, c, is_byte ? 0x83 : 0x81, 0, is_byte ? 1 : 4);
    if (is_byte)
        put8(e, (u8)amount);
    else
        put32(e, (u32)amount);
}

static void put_add_through(struct emit *e, const struct call *c, u32 reg)
{
    put_op(e, c, 0x8b, reg, 0);
    put_lea(e, reg, (int)reg, -1, 0, (s32)count_amount(c), false);
    put_op(e, c, 0x89, reg, 0);
}

/* word += amount * max(rcx, 1), without a flag */
static void put_add_each(struct emit *e, const struct call *c, u32 reg)
{
    s32 amount = (s32)count_amount(c);
    put_op(e, c, 0x8b, reg, 0);
    u8 *none = put_short_forward(e, 0xe3, false);            /* jrcxz */
    put_lea(e, reg, (int)reg, RCX, (u32)amount, -amount, false);
    patch_short(e, none);
    put_lea(e, reg, (int)reg, -1, 0, amount, false);
    put_op(e, c, 0x89, reg, 0);
}

/* In front of a repeated instruction that is made at once. */
static void put_each(struct emit *e, const struct site *s, const struct call *from, const struct call *to)
{
    bool is_dead;
    u32 reg = x86_pick(e, s, BIT(RCX), &is_dead);
    if (!is_dead)
        put_store_tls(e, reg, AT_SLOT(COUNT_SLOT));
    for (const struct call *c = from; c != to; c = c->next)
        put_add_each(e, c, reg);
    if (!is_dead)
        put_load_tls(e, reg, AT_SLOT(COUNT_SLOT));
    x86_forget_held(e);
}

static void put_add_r11(struct emit *e, s32 amount, bool is_free)
{
    bool is_byte = amount == (int8_t)amount;
    put8(e, is_free ? 0x49 : 0x4d);
    put8(e, !is_free ? 0x8d : is_byte ? 0x83 : 0x81);          /* add r11, amount; lea r11, [r11+amount] */
    put8(e, modrm(is_free ? 3 : is_byte ? 1 : 2, is_free ? 0 : R11, R11));
    if (is_byte)
        put8(e, (u8)amount);
    else
        put32(e, (u32)amount);
}

void x86_emit_counts(struct emit *e, const struct site *s, const struct call *from, const struct call *to)
{
    if (from->is_each) {
        put_each(e, s, from, to);
        return;
    }
    if (x86_counts(e)) {
        for (const struct call *c = from; c != to; c = c->next)
            put_add_r11(e, (s32)count_amount(c), from->is_free);
        return;
    }
    bool is_free = from->is_free || x86_flags_dead_at(s), is_dead = true;
    u32 reg = is_free ? 0 : x86_pick(e, s, 0, &is_dead);
    if (!is_dead)
        put_store_tls(e, reg, AT_SLOT(COUNT_SLOT));
    for (const struct call *c = from; c != to; c = c->next) {
        if (x86_move_held(e, s, c))
            continue;
        if (is_free) {
            put_add(e, c);
        } else {
            put_add_through(e, c, reg);
            x86_forget_held(e);
        }
    }
    if (!is_dead)
        put_load_tls(e, reg, AT_SLOT(COUNT_SLOT));
}

/* Of eight bytes in any case: stubs of one kind have one length. */
static void put_op_loop(struct emit *e, u8 op)
{
    u64 at = promote_loop_word();
    put_op_word(e, at, 8, op, R11, 0);
    if (!is_low(at))
        put_nops(e, 1);
}

/* A loop that counts in r11 (r11.h): in front of it, and in its stubs. */
void put_count_load(struct emit *e) { put_op_loop(e, 0x8b); }
void put_count_store(struct emit *e) { put_op_loop(e, 0x89); }

/* ---- an If with a budget (engine/jit/countdown.h) ---- */
enum { GUARDED_LEN = 900, RAX_SLOT = COUNT_SLOT };

/* rax waits in r11 where that is the engine's: it is often what a routine returns, and memory takes eight cycles. */
static void put_flags_away(struct emit *e, bool keeps_flags)
{
    if (!keeps_flags)
        return;
    if (x86_owns_r11(e))
        put_move(e, R11, RAX);
    else
        put_store_tls(e, RAX, AT_SLOT(RAX_SLOT));
    put_bytes(e, "\x9f\x0f\x90\xc0", 4);             /* lahf; seto al */
}

static void put_flags_back(struct emit *e, bool keeps_flags)
{
    if (!keeps_flags)
        return;
    put_bytes(e, "\x04\x7f\x9e", 3);                 /* add al, 0x7f; sahf */
    if (x86_owns_r11(e))
        put_move(e, RAX, R11);
    else
        put_load_tls(e, RAX, AT_SLOT(RAX_SLOT));
}

struct guarded { const struct site *site; const struct call *c; bool keeps_flags; };

static void put_exact(struct emit *e, const void *how)
{
    const struct guarded *g = how;
    put_flags_back(e, g->keeps_flags);
    x86_emit_visit(e, g->site, g->c, g->c->next->next);
}

/* sub qword [guard], 1; jb: a visit with both, out of line */
void x86_emit_guarded(struct emit *e, const struct site *site, const struct call *c)
{
    static u32 last[2];
    struct guarded g = { site, c, !x86_flags_dead_at(site) };
    put_flags_away(e, g.keeps_flags);
    put_op_word(e, c->guard, 8, 0x83, 5, 1);
    put8(e, 1);
    u8 *from = put_jcc_forward(e, CC_B);
    put_flags_back(e, g.keeps_flags);
    patch_to(e, from, put_out_of_line(e, GUARDED_LEN, &last[g.keeps_flags], put_exact, &g));
}

/* ---- iterations of a repeated instruction, with a budget ----
 * If it lasts for n only, rcx is set to n and the others wait in rep_rest (struct arch_thread), so that what makes all of them makes
 * these. Who is interrupted there finds the sum in rcx: arch_unspill. */
#define AT_REST ((s32)offsetof(struct arch_thread, rep_rest))

/* op qword [guard], rcx */
static void put_op_budget(struct emit *e, const struct call *c, u8 op) { put_op_word(e, c->guard, 8, op, RCX, 0); }

static void put_no_budget(struct emit *e, const struct call *c)      /* mov qword [guard], 0 */
{
    put_op_word(e, c->guard, 8, 0xc7, 0, 4);
    put32(e, 0);
}

static void put_no_rest(struct emit *e)
{
    put_bytes(e, "\x64\x48\xc7", 3);               /* mov qword fs:[rep_rest], 0 */
    put_fs_operand(e, 0, AT_REST);
    put32(e, 0);
}

static u8 *put_jump_if_none(struct emit *e)          /* jrcxz, which is short; to be used with patch_forward */
{
    u8 *none = put_short_forward(e, 0xe3, false), *some = put_short_forward(e, 0xeb, false);
    patch_short(e, none);
    none = put_jump_forward(e);
    patch_short(e, some);
    return none;
}

enum { ADD = 0x01, SUB = 0x29, LOAD = 0x8b };

void arch_emit_at_once(struct emit *e, const struct site *s, struct by_budget *b)
{
    b->keeps_flags = !x86_flags_dead_at(s);
    b->none = put_jump_if_none(e);                   /* it passes once nevertheless */
    put_flags_away(e, b->keeps_flags);
    put_op_budget(e, s->calls, SUB);
    b->too_little = put_jcc_forward(e, CC_B);
    put_flags_back(e, b->keeps_flags);
    b->at_once = e->p;
}

void arch_emit_if_all(struct emit *e, const struct site *s, struct by_budget *b)
{
    put_load_tls(e, RCX, AT_REST);
    u8 *all = put_short_forward(e, 0xe3, false);
    put_no_rest(e);
    put_rep_pc(e, s->list[s->i].pc);
    b->rest = put_jump_forward(e);
    patch_short(e, all);
}

static void put_part(struct emit *e, const struct call *c)
{
    put_store_tls(e, RCX, AT_REST);
    put_op_budget(e, c, LOAD);
    put_tls(e, SUB, RCX, AT_REST);
    put_no_budget(e, c);
}

void arch_emit_one_by_one(struct emit *e, const struct site *s, struct by_budget *b)
{
    b->done = put_jump_forward(e);
    patch_forward(e, b->too_little);
    put_op_budget(e, s->calls, ADD);
    u8 *nothing = put_jcc_forward(e, CC_E);
    put_part(e, s->calls);
    put_flags_back(e, b->keeps_flags);
    patch_to(e, put_jump_forward(e), b->at_once);
    patch_forward(e, nothing);
    put_flags_back(e, b->keeps_flags);
    patch_forward(e, b->rest);
    patch_forward(e, b->none);
}

void arch_emit_behind_both(struct emit *e, struct by_budget *b) { patch_forward(e, b->done); }
