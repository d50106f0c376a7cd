/* x87.c: what the CPU remembers of the last x87 instruction is what ran in the cache: its address, the opcode with the operand
 * that lower.c gave it, the operand's address. Before the application sees them they become those of its own instruction. */
#include "arch/x86/cpu.h"
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

/* The last x87 instruction may be in it. Threads that wait elsewhere meanwhile are not asked: theirs is unknown then. */
void arch_code_goes(addr_t lo, addr_t hi)
{
    u8 area[512] __attribute__((aligned(16))) = { 0 };         /* AMD's do not write the pointers at all, most of the time */
    struct place at;
    u64 fip;
    __asm__ volatile("fxsave64 %0" : "+m"(area));
    memcpy(&fip, area + FXSAVE_FIP, 8);
    if (fip >= lo && fip < hi && cache_locate(fip, &at)) {
        thr_self.arch.x87.from = fip;
        thr_self.arch.x87.pc = at.pc;
    }
}

static bool decode_at(addr_t pc, struct x86_insn *x)
{
    u8 bytes[15];
    u32 n = sizeof bytes;
    while (n && !mem_copy_safely(bytes, (void *)pc, n))
        n--;
    return n && x86_decode(bytes, n, x) && x->map == X86_MAP_1 && (x->opcode & 0xf8) == 0xd8;
}

/* fop: 3 bits of the opcode byte, then modrm. */
static u16 own_fop(const struct x86_insn *x) { return (u16)((x->opcode & 7) << 8 | x->modrm); }

/* Was it noted with this instruction? 0: CPUs that note it only with an exception have noted nothing. A rewritten operand changes mod
 * and rm; should the rest differ, the instruction is no longer the one that ran. */
static bool is_noted(const struct x86_insn *x, u16 fop)
{
    enum { REWRITTEN = 0xc7 };
    return fop && !((own_fop(x) ^ fop) & ~REWRITTEN);
}

/* Intel's note the operand's address only together with the opcode, AMD's together with that of the instruction. */
static bool is_operand_noted(const struct x86_insn *x, u16 fop) { return is_noted(x, fop) || x86_is_amd(); }

/* The application's instruction whose code was at `half` of an address; 0: it is unknown. *is_x87: x is what stands there. */
static addr_t app_fip(u32 half, struct x86_insn *x, bool *is_x87)
{
    const struct arch_thread *t = &thr_self.arch;
    addr_t pc = 0;
    *is_x87 = x86_find_by_half(half, &pc) && decode_at(pc, x);
    if (*is_x87 || !half || half != (u32)t->x87.from)
        return pc;
    *is_x87 = decode_at(t->x87.pc, x);               /* other code has its place by now */
    return t->x87.pc;
}

void x86_mend_x87(u8 *image, struct x87_layout l, u32 cache_pc)
{
    struct x86_insn x;
    u64 fip, fdp = 0;
    u16 fop;
    bool is_x87;
    memcpy(&fip, image + l.fip, 8);
    if (l.size == 8 && !cache_holds(fip))
        return;
    addr_t pc = app_fip(cache_pc, &x, &is_x87);
    if (pc || l.size == 8)                           /* half of one may be the application's own */
        memcpy(image + l.fip, &pc, l.size);
    if (!is_x87)
        return;
    memcpy(&fop, image + l.fop, 2);
    if (x.has_mem && x.seg == X86_SEG_GS && is_operand_noted(&x, l.fop ? fop : 0)) {
        memcpy(&fdp, image + l.fdp, l.size);
        fdp -= thr_self.arch.app_gs;                 /* an offset in the segment; the base was added by hand */
        memcpy(image + l.fdp, &fdp, l.size);
    }
    u16 own = own_fop(&x);
    if (l.fop && is_noted(&x, fop))
        memcpy(image + l.fop, &own, 2);
}
