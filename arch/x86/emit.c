/* emit.c: padding and displacements. */
#include "arch/x86/emit.h"

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
    put8(e, 0xe9);
    put_rel32(e, target);
}
