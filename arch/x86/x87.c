/* x87.c: what the CPU remembers of the last x87 instruction is what ran in the cache: its address, the opcode with the operand
 * that lower.c gave it, the operand's address. Before the application sees them they become those of its own instruction. */
#include "arch/x86/emit.h"
#include "arch/x86/x87.h"
#include "arch_signal.h"
#include "engine/cache/cache.h"
#include "engine/thread.h"

/* The cache lies in one aligned 4 GB, so half of an address in it tells the whole. */
bool x86_find_by_half(u32 half, addr_t *pc)
{
    struct place at;
    if (!half || !cache_locate((PRIV_CACHE & ~0xffffffffull) | half, &at))
        return false;
    *pc = at.pc;
    return true;
}

static bool decode_at(addr_t pc, struct x86_insn *x)
{
    u8 bytes[15];
    u32 n = sizeof bytes;
    while (n && !mem_copy_safely(bytes, (void *)pc, n))
        n--;
    return n && x86_decode(bytes, n, x) && x->map == X86_MAP_1 && (x->opcode & 0xf8) == 0xd8;
}

/* fop: 3 bits of the opcode byte, then modrm. 0: CPUs that note it only with an exception have noted nothing. A rewritten
 * operand changes mod and rm; should the rest differ, the instruction is no longer the one that ran. */
static u16 app_fop(const struct x86_insn *x, u16 fop)
{
    enum { REWRITTEN = 0xc7 };
    u16 own = (u16)((x->opcode & 7) << 8 | x->modrm);
    return !fop || (own ^ fop) & ~REWRITTEN ? fop : own;
}

void x86_mend_x87(u8 *image, struct x87_layout l, u32 cache_pc)
{
    struct x86_insn x;
    addr_t pc;
    u64 fip, fdp = 0;
    u16 fop;
    memcpy(&fip, image + l.fip, 8);
    if ((l.size == 8 && !cache_holds(fip)) || !x86_find_by_half(cache_pc, &pc))
        return;
    memcpy(image + l.fip, &pc, l.size);
    if (!decode_at(pc, &x))
        return;
    memcpy(&fop, image + l.fop, 2);
    fop = app_fop(&x, fop);
    if (l.fop)
        memcpy(image + l.fop, &fop, 2);
    memcpy(&fdp, image + l.fdp, l.size);
    if (x.has_mem && x.seg == X86_SEG_GS)            /* an offset in the segment; the base was added by hand */
        fdp -= thr_self.arch.app_gs;
    memcpy(image + l.fdp, &fdp, l.size);
}
