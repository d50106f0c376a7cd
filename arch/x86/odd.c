/* odd.c: what few programs use and analysis calls need not care about until one does.
 *
 * Flags that compiled C code cannot run with: DF, with which string instructions run backwards, and AC, with which
 * misaligned accesses fault. Hardly any program sets them, so analysis calls do not look for them until one does: `std` is
 * noticed when it is translated, popf is performed by the engine, all other ways lead through the dispatcher. Then calls clear
 * them for the routine; what is inlined runs with the application's flags, so from AC on nothing is.
 *
 * x87 and MMX registers: noticed when the first instruction on them is translated; until then they are in their initial
 * state, which a C routine keeps (but for the status word, set right at that moment). */
#include "arch/x86/bridge.h"
#include "arch/x86/cpu.h"
#include "arch/x86/frame_offsets.h"
#include "arch/x86/xstate.h"
#include "engine/thread.h"

enum { AC = 0x40000, ODD = X86_DF | AC };
bool x86_odd_flags, x86_checks_alignment;

void arch_watch_flags(void) { x86_watches_flags = true; }
bool arch_comes_with_odd_flags(const struct thread *t)
{
    u64 flags = t->arch.regs.flags;
    return (!x86_odd_flags && flags & ODD) || (!x86_checks_alignment && flags & AC);
}

void arch_expect_odd_flags(const struct thread *t)
{
    x86_odd_flags = true;
    x86_checks_alignment |= t && t->arch.regs.flags & AC;
}

/* The kernel starts a handler without DF, but with AC as it was. */
void arch_handler_begin(void)
{
    __asm__ volatile("pushfq\n\t"
                     "testl $0x40000, (%%rsp)\n\t"
                     "jz 1f\n\t"
                     "andl $~0x40000, (%%rsp)\n\t"
                     "popfq\n\t"
                     "pushfq\n"
                     "1:\tlea 8(%%rsp), %%rsp" ::: "cc", "memory");
}

u8 x86_app_x87;
const u8 x86_initial[XSAVE_HEADER + XSAVE_HEADER_SIZE] __attribute__((aligned(64)));

bool x86_is_x87_or_mmx(const struct x86_insn *x)
{
    if (x->enc == X86_ENC_3DNOW)
        return true;
    if (x->enc != X86_ENC_LEGACY)
        return false;
    if (x->map == X86_MAP_1)
        return x->opcode >= 0xd8 && x->opcode <= 0xdf;
    if (x->map == X86_MAP_0F && x->opcode == 0xae)      /* fxrstor, xrstor load them */
        return x->has_mem && ((x->modrm >> 3 & 7) == 1 || (x->modrm >> 3 & 7) == 5);
    bool sse = x->opsize16 || x->rep;
    if (x->map == X86_MAP_0F)
        return (x->opcode == 0x2a || x->opcode == 0x2c || x->opcode == 0x2d) ? x->rep == 0
                                                                             : !sse && x86_touches_vectors(x) && x->opcode >= 0x60;
    return !sse && x->map == X86_MAP_0F38 && x->opcode <= 0x1e;
}

static void note_x87(const struct x86_insn *x)
{
    if (LIKELY(x86_app_x87 || !x86_is_x87_or_mmx(x)))
        return;
    xrstor_from(x86_initial, 1);
    x86_app_x87 = x86_tells_unused() ? X87_ASK : X87_SAVED;
}

bool x86_sets_odd_flags(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    note_x87(x);
    return !x86_odd_flags && x->kind == X86_PLAIN && x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 &&
           x->opcode == 0xfd;
}
