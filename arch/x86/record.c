/* record.c: records into a thread's buffer, in the trace itself. For each stretch of code (engine/jit/promote.h)
 *
 *     once, at its head:   if (place >= end) the tool takes the buffer, out of line
 *     for each record:     p = place; [p + shift + offset] = field ...
 *     once:                place += all their bytes, which is a sum like any other
 *
 * p and what fields need are registers that are dead or wanted last; constants need none. Where r11 is the engine's (r11.h),
 * it is p, and stays so from one record to the next as long as nothing else uses it: e->held says for which buffer, from
 * which instruction on, and how far the thread's place is from what r11 holds. */
#include "arch/x86/bridge.h"
#include "arch/x86/landing.h"
#include "arch/x86/park.h"
#include "arch/x86/r11.h"
#include "engine/hooks.h"
#include "engine/jit/promote.h"

enum { FIRST_SLOT = 3 };

static s32 at_field(u32 buffer) { return AT_BUFFER(buffer); }

/* The first instruction that runs behind the place. */
static u32 from_insn(const struct site *s) { return s->i + (s->point == POINT_AFTER); }

void arch_record_place(const struct call *c, struct count *out)
{
    *out = (struct count){ (u64)(s64)(x86_tls + at_field(c->buffer)), hooks.record_size(c->buffer), 8, true };
}

/* [place + off] */
static void put_place_operand(struct emit *e, u32 reg, u32 place, s32 off)
{
    bool small = off == (int8_t)off;
    put8(e, modrm(small ? 1 : 2, reg, place));
    if ((place & 7) == RSP)
        put8(e, 0x24);
    if (small)
        put8(e, (u8)off);
    else
        put32(e, (u32)off);
}

/* ---- lines that will be written soon ----
 * A buffer is larger than the CPU's first cache, and a store whose line is not there keeps all later ones waiting. So each line is
 * fetched when the place comes within AHEAD of it, none left out; of records that are longer, their first one. Where r11 is the place,
 * e->held.fetched is the distance of the next line to fetch. */
enum { AHEAD = 512, LINE = 64 };

static void put_prefetch(struct emit *e, u32 place, s32 off)         /* prefetchw */
{
    put8(e, rex(0, 0, 0, place));
    put_bytes(e, "\x0f\x0d", 2);
    put_place_operand(e, 1, place, off);
}

/* The place in this buffer has moved on by so many bytes. */
static void fetch_ahead(struct emit *e, u32 buffer, s32 moved)
{
    s32 step = MAX((s32)LINE, (s32)hooks.record_size(buffer));
    for (e->held.fetched -= moved; e->held.fetched < AHEAD; e->held.fetched += step)
        put_prefetch(e, R11, e->held.fetched);
}

/* ---- r11 as the place in a buffer ---- */
void x86_forget_held(struct emit *e) { e->held.buffer = 0; }

static void hold(struct emit *e, const struct site *s, u32 buffer)
{
    e->held.buffer = (u8)(buffer + 1);
    e->held.at = from_insn(s);
    e->held.off = 0;
    e->held.fetched = AHEAD;
}

/* Branches out of the trace leave it alone; so does a call that ends it. */
static bool keeps_r11(const struct emit *e, const struct insn *in)
{
    return x86_keeps_r11(e, in) || in->kind == INSN_COND || in->kind == INSN_JUMP || (in->kind == INSN_CALL && !x86_has_sites);
}

/* Does r11 still hold what it held at e->held.at, in front of instruction `end`? */
static bool holds_until(const struct emit *e, u32 end, u32 buffer)
{
    if (e->held.buffer != buffer + 1 || !x86_owns_r11(e))
        return false;
    for (u32 i = e->held.at; i < end; i++)
        if (!keeps_r11(e, &e->held.list[i]))
            return false;
    return true;
}

static bool holds(const struct emit *e, const struct site *s, u32 buffer) { return holds_until(e, from_insn(s), buffer); }

void x86_hold_for_exit(struct emit *e, const struct insn *in)
{
    u32 end = in ? (u32)(in - e->held.list) : e->held.n;
    if (holds_until(e, end, 0) && !e->held.off)
        return;
    put_load_tls(e, R11, at_field(0));
    e->held.buffer = 1;
    e->held.at = end;
    e->held.off = 0;
}

/* The thread's place moves on. False: it does so in memory (count.c). */
bool x86_move_held(struct emit *e, const struct site *s, const struct call *c)
{
    if (!e->held.buffer || count_at(c) != (u64)(s64)(x86_tls + at_field(e->held.buffer - 1u)))
        return false;
    if (!holds(e, s, e->held.buffer - 1u))
        return false;
    put_lea(e, R11, R11, -1, 0, e->held.off + (s32)count_amount(c), false);
    put_store_tls(e, R11, at_field(e->held.buffer - 1u));
    e->held.off = 0;
    fetch_ahead(e, e->held.buffer - 1u, (s32)count_amount(c));
    return true;
}

/* ---- what can be recorded here ---- */
static bool is_narrow(const struct arg *a) { return a->kind == ARG_REG && (a->reg.size < 4 || a->reg.offset); }

/* An address in a segment that put_segment_address cannot have. */
static bool needs_r11(const struct arg *a)
{
    const struct arch_address *m = &a->address;
    return a->kind == ARG_ADDRESS && m->seg && (m->is32 || m->disp != (s32)m->disp);
}

static u16 sources(const struct arg *a)
{
    if (a->kind == ARG_REG && a->reg.file == RF_GPR)
        return BIT(a->reg.num);
    if (a->kind == ARG_ADDRESS)
        return (u16)((a->address.base >= 0 ? BIT(a->address.base) : 0) | (a->address.index >= 0 ? BIT(a->address.index) : 0));
    return 0;
}

/* Only if the instruction does something: a jump over the record can tell. */
static bool has_predicate(const struct insn *in) { return x86_is_cmov(&in->a.x) || arch_is_repeated(in); }

bool arch_records(const struct view *v, u32 i, enum point p, const struct call *c)
{
    struct site s = { v->insn, i, v->n, p, c };
    u16 read = 0;
    bool r11 = false;
    if (!(c->flags & CALL_BUFFER) || c->flags & (CALL_THEN | CALL_IF) || c->n_args > 8)
        return false;
    if (c->flags & CALL_PREDICATED && (p != POINT_BEFORE || !has_predicate(&v->insn[i])))
        return false;
    for (u32 k = 0; k < c->n_args; k++) {
        const struct arg *a = &c->arg[k];
        if (!x86_arg_is_fast(&s, a) || is_narrow(a) || a->kind == ARG_REG_REF || a->kind == ARG_TAKEN || a->kind == ARG_EXECUTING)
            return false;
        read |= sources(a);
        r11 |= needs_r11(a);
    }
    return !r11 || !(read & BIT(R11));
}

/* ---- registers ---- */
struct borrowed { u16 saved; u8 n, slot[16]; };

static u32 borrow(struct emit *e, const struct site *s, struct borrowed *b, u16 *avoid)
{
    bool is_dead;
    u32 r = x86_pick(e, s, *avoid, &is_dead);
    *avoid |= BIT(r);
    if (!is_dead) {
        b->saved |= BIT(r);
        b->slot[r] = (u8)(FIRST_SLOT + b->n++);
        put_store_tls(e, r, AT_SLOT(b->slot[r]));
    }
    return r;
}

static void give_back(struct emit *e, const struct borrowed *b)
{
    for (u32 r = 0; r < 16; r++)
        if (b->saved >> r & 1)
            put_load_tls(e, r, AT_SLOT(b->slot[r]));
}

/* ---- one record ---- */
static void put_imm(struct emit *e, u32 place, s32 off, u64 v, u32 size)
{
    if (size == 8 && v != (u64)(s64)(s32)v) {         /* in halves: no register */
        put_imm(e, place, off, (u32)v, 4);
        put_imm(e, place, off + 4, v >> 32, 4);
        return;
    }
    if (size == 2)
        put8(e, 0x66);
    put8(e, rex(size == 8, 0, 0, place));
    put8(e, size == 1 ? 0xc6 : 0xc7);
    put_place_operand(e, 0, place, off);
    put_bytes(e, &v, size == 8 ? 4 : size);
}

static void put_reg(struct emit *e, u32 place, s32 off, u32 reg, u32 size)
{
    if (size == 2)
        put8(e, 0x66);
    put8(e, rex(size == 8, reg, 0, place));
    put8(e, size == 1 ? 0x88 : 0x89);
    put_place_operand(e, reg, place, off);
}

/* The register that already holds the field's value, or -1. */
static int held_in(const struct arg *a)
{
    const struct arch_address *m = &a->address;
    if (a->kind == ARG_REG && a->reg.file == RF_GPR && (a->reg.size == 8 || a->offset_size <= 4))
        return a->reg.num;
    if (a->kind == ARG_ADDRESS && m->base >= 0 && m->index < 0 && !m->disp && !m->is32 && !m->seg)
        return m->base;
    return -1;
}

static bool is_constant(const struct arg *a)
{
    return a->kind == ARG_CONST || (a->kind == ARG_ADDRESS && a->address.base < 0 && a->address.index < 0 && !a->address.seg);
}

static u64 constant_of(const struct arg *a)
{
    if (a->kind == ARG_CONST)
        return a->value;
    return a->address.is32 ? (u32)a->address.disp : (u64)a->address.disp;
}

/* The address of [base + disp] can be had by moving the base itself there, and back. */
static bool is_reversible(const struct arg *a)
{
    const struct arch_address *m = &a->address;
    return a->kind == ARG_ADDRESS && m->base >= 0 && m->index < 0 && !m->is32 && !m->seg && m->disp == (s32)m->disp &&
           m->disp > -0x80000000ll;
}

/* The address in a segment: without a register besides `to`. */
static void put_segment_address(struct emit *e, const struct arch_address *m, u32 to)
{
    put_load_tls(e, to, m->seg == X86_SEG_FS ? AT_FS_COPY : AT_APP_GS);
    if (m->base >= 0)
        put_lea(e, to, (int)to, m->base, 1, 0, false);
    put_lea(e, to, (int)to, m->index, m->index >= 0 ? m->scale : 0, (s32)m->disp, false);
}

/* The address field without a register of its own. */
static void put_reversible(struct emit *e, const struct arg *a, u32 place, s32 off)
{
    int base = a->address.base;
    put_lea(e, (u32)base, base, -1, 0, (s32)a->address.disp, false);
    put_reg(e, place, off, (u32)base, a->offset_size);
    put_lea(e, (u32)base, base, -1, 0, -(s32)a->address.disp, false);
}

static bool is_wide(const struct arg *a)
{
    return is_constant(a) && a->offset_size == 8 && constant_of(a) != (u64)(s64)(s32)constant_of(a);
}

/* What the fields of a record need. */
struct needs { u16 read; bool r11, value, copy; };

static struct needs needs_of(const struct call *c)
{
    struct needs n = { 0 };
    for (u32 k = 0; k < c->n_args; k++) {
        const struct arg *a = &c->arg[k];
        n.read |= sources(a);
        n.r11 |= needs_r11(a);
        n.copy |= is_reversible(a) || is_wide(a);         /* better with a register */
        n.value |= !is_constant(a) && held_in(a) < 0 && !is_reversible(a);
    }
    return n;
}

static bool has_dead(const struct site *s, u16 avoid) { return x86_dead_regs_at(s) & ~avoid & ALL_BUT_RSP & ~BIT(R11); }

/* Where a record's fields come from: `value` is a register to use, if has_value; the parked one, if is_parked. */
struct fields { u32 place, value; bool has_value, is_parked; };

static void put_field(struct visit *s, const struct fields *f, const struct arg *a, s32 off)
{
    struct emit *e = s->e;
    if (f->has_value && is_wide(a)) {
        if (f->is_parked)
            x86_lend_parked_as(e, constant_of(a));
        else
            put_const(e, f->value, constant_of(a));
        put_reg(e, f->place, off, f->value, a->offset_size);
    } else if (is_constant(a)) {
        put_imm(e, f->place, off, constant_of(a), a->offset_size);
    } else if (held_in(a) >= 0) {
        put_reg(e, f->place, off, (u32)held_in(a), a->offset_size);
    } else if (!f->has_value) {
        put_reversible(e, a, f->place, off);
    } else {
        if (a->kind == ARG_ADDRESS && a->address.seg && !needs_r11(a))
            put_segment_address(e, &a->address, f->value);
        else
            x86_load_arg(s, a, f->value);
        e->held.constant = 0;
        put_reg(e, f->place, off, f->value, a->offset_size);
    }
}

void x86_emit_record(struct emit *e, const struct site *site, const struct call *c)
{
    struct borrowed b = { 0 };
    struct visit s = { .e = e, .site = site, .is_light = true };
    struct needs n = needs_of(c);
    u16 avoid = n.read | x86_registers_of(e->binding);
    bool is_held = holds(e, site, c->buffer) && !n.r11;
    if (n.r11 && !x86_owns_r11(e)) {
        b.saved = BIT(R11);
        b.slot[R11] = (u8)(FIRST_SLOT + b.n++);
        put_store_tls(e, R11, AT_SLOT(b.slot[R11]));
    }
    if (n.r11)
        avoid |= BIT(R11);
    u32 place = is_held ? R11 : borrow(e, site, &b, &avoid);
    avoid |= BIT(place);
    bool is_free = has_dead(site, avoid), may_park = e->binding && (n.value || n.copy) && !is_free;
    bool has_value = n.value || may_park || (n.copy && is_free);
    u32 value = may_park ? x86_lend_parked(e) : has_value ? borrow(e, site, &b, &avoid) : 0;
    if (!is_held) {
        put_load_tls(e, place, at_field(c->buffer));
        put_prefetch(e, place, c->shift + AHEAD);
    }
    struct fields f = { place, value, has_value, may_park };
    s32 shift = c->shift + (is_held ? e->held.off : 0);
    for (u32 k = 0; k < c->n_args; k++)
        put_field(&s, &f, &c->arg[k], shift + c->arg[k].offset);
    give_back(e, &b);
    if (n.r11)
        x86_forget_held(e);
    else if (!is_held && place == R11 && x86_owns_r11(e))
        hold(e, site, c->buffer);
}

/* ---- is there room for the records of a stretch? ---- */
enum { ROOM_LEN = 700, FLAGS_SLOT = X86_SLOTS - 1 };

static void put_compare(struct emit *e, u32 place, s32 field)    /* cmp place, fs:[field] */
{
    put_tls(e, 0x3b, place, field);
}

static void leave_room(struct emit *e, const struct borrowed *b, bool keeps_flags)
{
    if (keeps_flags) {
        put_bytes(e, "\x04\x7f\x9e", 3);              /* add al, 0x7f; sahf */
        put_load_tls(e, RAX, AT_SLOT(FLAGS_SLOT));
    }
    give_back(e, b);
}

struct room { const struct site *site; const struct call *c; const struct borrowed *b; bool keeps_flags, holds; };

static void put_full(struct emit *e, const void *how)
{
    const struct room *r = how;
    leave_room(e, r->b, r->keeps_flags);
    put_parked(e, ~0u);
    x86_emit_slow(e, r->site, r->c, x86_buffer_full);
    if (r->holds)
        put_load_tls(e, R11, at_field(r->c->buffer));
}

void x86_emit_room(struct emit *e, const struct site *site, const struct call *c)
{
    static u32 last[2];
    struct borrowed b = { 0 };
    struct room r = { site, c, &b, !x86_flags_dead_at(site), false };
    u16 avoid = r.keeps_flags ? BIT(RAX) : 0;
    bool is_held = holds(e, site, c->buffer) && !e->held.off;
    u32 place = is_held ? R11 : borrow(e, site, &b, &avoid);
    r.holds = place == R11 && x86_owns_r11(e);
    if (r.keeps_flags) {
        put_store_tls(e, RAX, AT_SLOT(FLAGS_SLOT));
        put_bytes(e, "\x9f\x0f\x90\xc0", 4);          /* lahf; seto al */
    }
    if (!is_held)
        put_load_tls(e, place, at_field(c->buffer));
    if (!r.holds)
        put_prefetch(e, place, AHEAD);
    put_compare(e, place, at_field(c->buffer) + 8);
    u8 *from = put_jcc_forward(e, CC_AE);
    leave_room(e, &b, r.keeps_flags);
    patch_to(e, from, put_out_of_line(e, ROOM_LEN, &last[r.keeps_flags], put_full, &r));
    e->held.constant = 0;                             /* the tool's way round fetches the parked register */
    if (r.holds)
        hold(e, site, c->buffer);
}

/* ---- records of an instruction that may do nothing: room, sum and records behind one jump ---- */
static u8 *put_skip(struct emit *e, const struct x86_insn *x)
{
    if (x86_is_cmov(x))
        return put_jcc_forward(e, x->cc ^ 1u);
    if (x->addr32)
        put8(e, 0x67);
    put_bytes(e, "\xe3\x02\xeb\x05", 4);          /* jrcxz to the jump, which is jumped over otherwise */
    return put_jump_forward(e);
}

/* At the end of both ways r11 holds the same, and the same registers are parked. */
static void settle_registers(struct emit *e, const struct site *site, u32 buffer)
{
    if (e->binding)
        x86_lend_parked(e);
    if (!x86_owns_r11(e) || (holds(e, site, buffer) && !e->held.off))
        return;
    put_load_tls(e, R11, at_field(buffer));
    hold(e, site, buffer);
}

const struct call *x86_emit_predicated(struct emit *e, const struct site *site, const struct call *room)
{
    const struct call *c = room;
    settle_registers(e, site, room->buffer);
    u8 *skip = put_skip(e, &site->list[site->i].a.x);
    if (!room->value)
        x86_emit_room(e, site, room);
    while (c->next && c->next->flags & CALL_PREDICATED && c->next->record != RECORD_ROOM) {
        c = c->next;
        if (c->flags & CALL_COUNT)
            x86_emit_counts(e, site, c, c->next);
        else
            x86_emit_record(e, site, c);
    }
    patch_forward(e, skip);
    e->held.constant = 0;
    return c;
}
