/* x87.c: what the CPU remembers of the last x87 instruction is what ran in the cache: its address, and the opcode with the
 * operand that lower.c gave it. Before the application sees them they become those of its own instruction. */
#include "arch/x86/emit.h"
#include "arch/x86/x87.h"
#include "arch_signal.h"
#include "engine/cache/cache.h"

/* The cache lies in one aligned 4 GB, so half of an address in it tells the whole. */
bool x86_find_by_half(u32 half, addr_t *pc)
{
    struct place at;
    if (!half || !cache_locate((PRIV_CACHE & ~0xffffffffull) | half, &at))
        return false;
    *pc = at.pc;
    return true;
}

/* fop: 3 bits of the opcode byte, then modrm. 0: CPUs that note it only with an exception have noted nothing. A rewritten
 * operand changes mod and rm; should the rest differ, the instruction is no longer the one that ran. */
u16 x86_app_fop(addr_t pc, u16 fop)
{
    enum { REWRITTEN = 0xc7 };
    u8 bytes[15];
    struct x86_insn x;
    u32 n = sizeof bytes;
    while (n && !mem_copy_safely(bytes, (void *)pc, n))
        n--;
    if (!fop || !n || !x86_decode(bytes, n, &x) || x.map != X86_MAP_1 || (x.opcode & 0xf8) != 0xd8)
        return fop;
    u16 own = (u16)((x.opcode & 7) << 8 | x.modrm);
    return (own ^ fop) & ~REWRITTEN ? fop : own;
}

void x86_mend_x87(u8 *fxsave)
{
    u64 fip, pc;
    memcpy(&fip, fxsave + FXSAVE_FIP, 8);
    if (!cache_holds(fip) || !x86_find_by_half((u32)fip, &pc))
        return;
    u16 *fop = (u16 *)(fxsave + FXSAVE_FOP);
    memcpy(fxsave + FXSAVE_FIP, &pc, 8);
    *fop = x86_app_fop(pc, *fop);
}
