/* emit.c: padding, displacements, jumps ahead, and code that stands among the stubs. */
#include "arch/x86/asm.h"

void put_nops(struct emit *e, u32 n)
{
    static const u8 nops[9][9] = {
        { 0x90 }, { 0x66, 0x90 }, { 0x0f, 0x1f, 0x00 }, { 0x0f, 0x1f, 0x40, 0x00 }, { 0x0f, 0x1f, 0x44, 0x00, 0x00 },
        { 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 }, { 0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00 },
        { 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 }, { 0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 },
    };
    while (n) {
        u32 k = MIN(n, 9u);
        put_bytes(e, nops[k - 1], k);
        n -= k;
    }
}

void put_patch_padding(struct emit *e, u32 ahead)
{
    u32 at = (u32)((addr_t)e->p + ahead) & 63;
    if (at > 60)
        put_nops(e, 64 - at);
}

void put_rel32(struct emit *e, const u8 *target)
{
    put32(e, (u32)((addr_t)target - ((addr_t)e->p + 4)));
}

void put_jump(struct emit *e, const u8 *target)
{
    put_code(e, 0xe9 | (u64)(u32)((addr_t)target - ((addr_t)e->p + 5)) << 8, 5);
}

u8 *put_short_forward(struct emit *e, u8 op, bool addr32)
{
    if (addr32)
        put8(e, 0x67);
    put8(e, op);
    put8(e, 0);
    return e->p;
}

void patch_short(struct emit *e, u8 *from)
{
    if (!e->is_full)
        from[-1] = (u8)(e->p - from);
}

static u32 put_at(const struct emit *e, u8 *at, u32 size, void (*put)(struct emit *e, const void *how), const void *how, bool *is_full)
{
    struct emit s = { .p = at, .end = at + size, .stub = at + size, .arch_flags = e->arch_flags, .at_rest = e->at_rest,
                      .parked = e->parked, .binding = e->binding };
    put(&s, how);
    put_jump(&s, e->p);
    *is_full |= s.is_full;
    return (u32)(s.p - at) + (u32)(at + size - s.stub);
}

u8 *put_out_of_line(struct emit *e, u32 most, u32 *last, void (*put)(struct emit *e, const void *how), const void *how)
{
    enum { SLACK = 32 };
    bool is_full = e->stub - most < e->p;
    if (is_full) {
        e->is_full = true;
        return NULL;
    }
    u32 used = *last ? put_at(e, e->stub - *last, *last, put, how, &is_full) : 0;
    if (*last && !is_full && used + SLACK >= *last)
        return take_stub(e, *last);
    *last = put_at(e, e->stub - most, most, put, how, &e->is_full);
    u8 *at = take_stub(e, *last);
    if (at)
        put_at(e, at, *last, put, how, &e->is_full);
    return at;
}
