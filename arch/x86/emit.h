/* emit.h: bytes into a buffer. Nothing here fails: a full buffer sets a flag that the JIT looks at once. */
#ifndef X86_EMIT_H
#define X86_EMIT_H
#include "arch/arch.h"
#include "arch/x86/entry_offsets.h"

extern s32 x86_tls;                          /* thr_self - fs base: the same on every thread */

static inline void put8(struct emit *e, u8 b)
{
    if (e->p < e->end)
        *e->p++ = b;
    else
        e->is_full = true;
}
static inline void put_bytes(struct emit *e, const void *from, u32 n)
{
    if (e->p + n <= e->end) {
        memcpy(e->p, from, n);
        e->p += n;
    } else {
        e->is_full = true;
    }
}
/* The n lowest bytes of v, at most 8: one store where there is room behind them. Byte by byte, each byte is a store that might
 * change e itself, as far as the compiler knows. */
static inline void put_code(struct emit *e, u64 v, u32 n)
{
    if (LIKELY(e->p + 8 <= e->end)) {
        memcpy(e->p, &v, 8);
        e->p += n;
    } else {
        put_bytes(e, &v, n);
    }
}
static inline void put32(struct emit *e, u32 v) { put_code(e, v, 4); }
static inline void put64(struct emit *e, u64 v) { put_code(e, v, 8); }

static inline u8 modrm(u32 mod, u32 reg, u32 rm) { return (u8)(mod << 6 | (reg & 7) << 3 | (rm & 7)); }
static inline u8 rex(u32 w, u32 reg, u32 index, u32 base)
{
    return (u8)(0x40 | w << 3 | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | (base >> 3 & 1));
}

/* op fs:[field], reg or op reg, fs:[field] */
static inline void put_tls(struct emit *e, u8 op, u32 reg, s32 field)
{
    put_code(e, 0x2500000064ull | (u64)rex(1, reg, 0, 0) << 8 | (u64)op << 16 | (u64)modrm(0, reg, 4) << 24, 5);
    put32(e, (u32)(x86_tls + field));
}
static inline void put_store_tls(struct emit *e, u32 reg, s32 field) { put_tls(e, 0x89, reg, field); }
static inline void put_load_tls(struct emit *e, u32 reg, s32 field) { put_tls(e, 0x8b, reg, field); }

static inline void put_store_const(struct emit *e, u32 v, s32 field)     /* mov dword fs:[field], v */
{
    put_code(e, 0x2504c764ull | (u64)(u32)(x86_tls + field) << 32, 8);
    put32(e, v);
}

static inline void put_const(struct emit *e, u32 reg, u64 v)
{
    u64 op = 0xb8 + (reg & 7);
    if (v > 0xffffffffu) {
        put_code(e, rex(1, 0, 0, reg) | op << 8, 2);
        put64(e, v);
    } else if (reg >= 8) {
        put_code(e, 0x41 | op << 8 | v << 16, 6);
    } else {
        put_code(e, op | v << 8, 5);
    }
}
static inline void put_move(struct emit *e, u32 to, u32 from)
{
    put_code(e, rex(1, from, 0, to) | 0x8900u | (u32)modrm(3, from, to) << 16, 3);
}

/* Space for a constant or a stub, below everything placed there before. NULL when the block is full. */
static inline u8 *take_stub(struct emit *e, u32 size)
{
    if (e->stub - size < e->p) {
        e->is_full = true;
        return NULL;
    }
    e->stub -= size;
    e->end = e->stub;
    return e->stub;
}

/* A constant. In its place by itself: the program may have misaligned accesses fault (the flag AC). NULL when the block is full. */
static inline u8 *take_const(struct emit *e, u64 v)
{
    u8 *at = take_stub(e, 8 + (u32)((addr_t)e->stub & 7));
    if (at)
        memcpy(at, &v, 8);
    return at;
}

void put_nops(struct emit *e, u32 n);
/* Pad so that the 4 bytes `ahead` bytes from here lie in one cache line: they can then be patched by one store. */
void put_patch_padding(struct emit *e, u32 ahead);
void put_rel32(struct emit *e, const u8 *target);          /* displacement that ends here + 4 */
void put_jump(struct emit *e, const u8 *target);           /* jmp rel32 */

/* lower.c */
/* op reg, [memory operand of in]; `op` is a one-byte opcode with REX.W. reg may be one of the operand's registers. */
bool x86_is_copied(const struct insn *in);   /* a plain instruction that stands in the cache as it is: no register but its own */
bool x86_keeps_r11(const struct emit *e, const struct insn *in);      /* or as good as that: r11 holds what it did */
void put_with_operand(struct emit *e, const struct insn *in, u8 op, u32 reg);

/* A plain instruction with the operand that modrm names at the address in fs:[field]. Sets e->restore (slot 0). */
void put_based_on_tls(struct emit *e, const struct insn *in, s32 field);

/* branch.c */
extern bool x86_names_branches;
void put_branch_name(struct emit *e);

/* flags.c */
/* Are all arithmetic flags dead in front of instruction i? */
bool x86_flags_dead(const struct insn *list, u32 i, u32 n);

/* entry.S */
extern u8 x86_find_target[], x86_miss_target[], x86_leave[], x86_leave_named[], x86_restart[];
#endif
