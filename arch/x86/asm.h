/* asm.h: the instructions that analysis calls are made of, byte by byte, on top of emit.h. */
#ifndef X86_ASM_H
#define X86_ASM_H
#include "arch/x86/emit.h"

/* ---- [rsp+off]: the call frame ---- */
static inline void put_rsp_operand(struct emit *e, u32 reg, u32 off)
{
    bool small = off < 128;
    put8(e, modrm(small ? 1 : 2, reg, 4));
    put8(e, 0x24);
    if (small)
        put8(e, (u8)off);
    else
        put32(e, off);
}
static inline void put_rsp_op(struct emit *e, u8 op, u32 reg, u32 off)
{
    put8(e, rex(1, reg, 0, 0));
    put8(e, op);
    put_rsp_operand(e, reg, off);
}
static inline void put_rsp_store(struct emit *e, u32 reg, u32 off) { put_rsp_op(e, 0x89, reg, off); }
static inline void put_rsp_load(struct emit *e, u32 reg, u32 off) { put_rsp_op(e, 0x8b, reg, off); }
static inline void put_rsp_lea(struct emit *e, u32 reg, u32 off) { put_rsp_op(e, 0x8d, reg, off); }

/* reg = zero-extended [rsp+off] of 1, 2, 4 or 8 bytes */
static inline void put_rsp_load_size(struct emit *e, u32 reg, u32 off, u32 size)
{
    put8(e, rex(size == 8, reg, 0, 0));
    if (size >= 4) {
        put8(e, 0x8b);
    } else {
        put8(e, 0x0f);
        put8(e, size == 1 ? 0xb6 : 0xb7);
    }
    put_rsp_operand(e, reg, off);
}

/* [rsp+off] = low 1, 2 or 8 bytes of reg; 4 bytes are stored with zeroes behind them, as a 32-bit register is written */
static inline void put_rsp_store_size(struct emit *e, u32 reg, u32 off, u32 size)
{
    if (size == 4) {
        put8(e, rex(0, reg, 0, reg));             /* mov reg32, reg32 */
        put8(e, 0x89);
        put8(e, modrm(3, reg, reg));
        size = 8;
    }
    if (size == 2)
        put8(e, 0x66);
    put8(e, rex(size == 8, reg, 0, 0));
    put8(e, size == 1 ? 0x88 : 0x89);
    put_rsp_operand(e, reg, off);
}

/* ---- fs:[field] ---- */
static inline void put_fs_operand(struct emit *e, u32 reg, s32 field)
{
    put8(e, modrm(0, reg, 4));
    put8(e, 0x25);
    put32(e, (u32)(x86_tls + field));
}
static inline void put_fs_load32(struct emit *e, u32 reg, s32 field)
{
    put8(e, 0x64);
    put8(e, rex(0, reg, 0, 0));
    put8(e, 0x8b);
    put_fs_operand(e, reg, field);
}
static inline void put_fs_load_size(struct emit *e, u32 reg, s32 field, u32 size)
{
    put8(e, 0x64);
    put8(e, rex(size == 8, reg, 0, 0));
    if (size >= 4) {
        put8(e, 0x8b);
    } else {
        put8(e, 0x0f);
        put8(e, size == 1 ? 0xb6 : 0xb7);
    }
    put_fs_operand(e, reg, field);
}
static inline void put_fs_store_size(struct emit *e, u32 reg, s32 field, u32 size)
{
    put8(e, 0x64);
    if (size == 2)
        put8(e, 0x66);
    put8(e, rex(size == 8, reg, 0, 0));
    put8(e, size == 1 ? 0x88 : 0x89);
    put_fs_operand(e, reg, field);
}
static inline void put_fs_set_byte(struct emit *e, s32 field, u8 v)
{
    put8(e, 0x64);
    put8(e, 0xc6);
    put_fs_operand(e, 0, field);
    put8(e, v);
}
static inline void put_fs_compare32(struct emit *e, s32 field, u8 v)
{
    put8(e, 0x64);
    put8(e, 0x83);
    put_fs_operand(e, 7, field);
    put8(e, v);
}

/* ---- registers ---- */
static inline void put_move32(struct emit *e, u32 to, u32 from)
{
    put8(e, rex(0, from, 0, to));
    put8(e, 0x89);
    put8(e, modrm(3, from, to));
}
/* lea to, [base + index * scale + disp]; base or index -1: none; is32: modulo 2^32 */
void put_lea(struct emit *e, u32 to, int base, int index, u32 scale, s32 disp, bool is32);

/* ---- forward jumps, patched when the target is reached ---- */
static inline u8 *put_jcc_forward(struct emit *e, u32 cc)
{
    put8(e, 0x0f);
    put8(e, (u8)(0x80 | cc));
    put32(e, 0);
    return e->p;
}
static inline u8 *put_jump_forward(struct emit *e)
{
    put8(e, 0xe9);
    put32(e, 0);
    return e->p;
}
static inline void patch_forward(struct emit *e, u8 *from)
{
    u32 rel = (u32)(e->p - from);
    if (!e->is_full)
        memcpy(from - 4, &rel, 4);
}
enum { CC_O = 0, CC_NO, CC_B, CC_AE, CC_E, CC_NE, CC_BE, CC_A };

/* A forward jump to code that is not in the body. */
static inline void patch_to(struct emit *e, u8 *from, const u8 *to)
{
    u32 rel = (u32)(to - from);
    if (!e->is_full)
        memcpy(from - 4, &rel, 4);
}

/* Code among the stubs that comes back to where the body now ends: at most `most` bytes. put() emits it; how many it takes is
 * measured first, unless what the last of its kind took (*last) is about right. Where it begins, or NULL. */
u8 *put_out_of_line(struct emit *e, u32 most, u32 *last, void (*put)(struct emit *e, const void *how), const void *how);

/* A short jump by opcode `op`, to where patch_short is called. */
u8 *put_short_forward(struct emit *e, u8 op, bool addr32);
void patch_short(struct emit *e, u8 *from);

void put_rep_pc(struct emit *e, u64 pc);         /* see struct arch_thread */

/* A call or jump to the tool's code: near when it can be, else through rax. */
void put_call(struct emit *e, const void *to);
#endif
