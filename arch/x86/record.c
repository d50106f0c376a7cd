/* record.c: append a record to a thread's buffer, in the trace itself:
 *
 *     rcx = place; [rcx + offset] = field ...; rcx += size; place = rcx; if (rcx - end == 0) out of line: the tool takes it
 *
 * No instruction touches the flags: records have one size and fill a buffer exactly, so "full" is a difference of zero. */
#include "arch/x86/bridge.h"
#include "engine/hooks.h"

enum { FIRST_SLOT = 3 };

static s32 at_field(u32 buffer) { return (s32)(offsetof(struct arch_thread, buffer) + buffer * 16); }

bool x86_records(const struct site *s, const struct call *c)
{
    if (!(c->flags & CALL_BUFFER) || c->flags & (CALL_PREDICATED | CALL_THEN | CALL_IF))
        return false;
    for (u32 k = 0; k < c->n_args; k++)
        if (!x86_arg_is_fast(s, &c->arg[k]))
            return false;
    return true;
}

static bool is_small_const(const struct arg *a)
{
    return a->kind == ARG_CONST && (a->offset_size < 8 || a->value == (u64)(s64)(s32)a->value);
}

static u16 registers(const struct call *c)
{
    u16 set = BIT(RCX);
    for (u32 k = 0; k < c->n_args; k++)
        set |= (u16)(x86_arg_scratch(&c->arg[k]) | (is_small_const(&c->arg[k]) ? 0 : BIT(RAX)));
    return set;
}

static void put_rcx_operand(struct emit *e, u32 reg, u32 off)
{
    put8(e, modrm(off < 128 ? 1 : 2, reg, RCX));
    if (off < 128)
        put8(e, (u8)off);
    else
        put32(e, off);
}

/* [rcx + offset] = an immediate */
static void put_const_field(struct emit *e, const struct arg *a)
{
    u32 size = a->offset_size;
    if (size == 2)
        put8(e, 0x66);
    if (size == 8)
        put8(e, rex(1, 0, 0, 0));
    put8(e, size == 1 ? 0xc6 : 0xc7);
    put_rcx_operand(e, 0, a->offset);
    put_bytes(e, &a->value, size == 8 ? 4 : size);
}

static void put_field(struct visit *s, const struct arg *a)
{
    struct emit *e = s->e;
    if (is_small_const(a)) {
        put_const_field(e, a);
        return;
    }
    x86_load_arg(s, a, RAX);
    u32 size = a->offset_size;
    if (size == 2)
        put8(e, 0x66);
    put8(e, rex(size == 8, RAX, 0, RCX));
    put8(e, size == 1 ? 0x88 : 0x89);
    put_rcx_operand(e, RAX, a->offset);
}

static void restore(struct visit *s)
{
    for (u32 r = 0; r < 16; r++)
        if (s->save >> r & 1)
            put_load_tls(s->e, r, AT_SLOT(s->slot[r]));
}

void x86_emit_record(struct emit *e, const struct site *site, const struct call *c)
{
    struct visit s = { .e = e, .site = site, .is_light = true, .save = registers(c) };
    s.save |= BIT(RAX);                           /* for the comparison */
    for (u32 r = 0, n = FIRST_SLOT; r < 16; r++)
        if (s.save >> r & 1) {
            s.slot[r] = (u8)n++;
            put_store_tls(e, r, AT_SLOT(s.slot[r]));
        }
    put_load_tls(e, RCX, at_field(c->buffer));
    for (u32 k = 0; k < c->n_args; k++)
        put_field(&s, &c->arg[k]);
    put_lea(e, RCX, RCX, -1, 0, (s32)hooks.record_size(c->buffer), false);
    put_store_tls(e, RCX, at_field(c->buffer));
    put_load_tls(e, RAX, at_field(c->buffer) + 8);
    put_lea(e, RCX, RCX, RAX, 1, 0, false);
    put_bytes(e, "\xe3\x02", 2);                  /* jrcxz +2: full */
    put_bytes(e, "\xeb\x05", 2);                  /* jmp +5 */
    u8 *full = put_jump_forward(e);
    restore(&s);
    u8 *done = put_jump_forward(e);               /* around the rare case */
    patch_forward(e, full);
    restore(&s);
    x86_emit_slow(e, site, c, x86_buffer_full);
    patch_forward(e, done);
}
