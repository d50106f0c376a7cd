/* odd.c: flags that compiled C code cannot run with: DF, with which string instructions run backwards, and AC, with which
 * misaligned accesses fault. Hardly any program sets them, so analysis calls do not look for them until one does: `std` is
 * noticed when it is translated, popf is performed by the engine, all other ways lead through the dispatcher. */
#include "arch/x86/bridge.h"
#include "engine/thread.h"

enum { ODD = X86_DF | 0x40000 };
bool x86_odd_flags;

void arch_watch_flags(void) { x86_watches_flags = true; }
void arch_expect_odd_flags(void) { x86_odd_flags = true; }
bool arch_comes_with_odd_flags(const struct thread *t) { return !x86_odd_flags && t->arch.regs.flags & ODD; }

bool arch_sets_odd_flags(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    return x86_watches_flags && !x86_odd_flags && x->kind == X86_PLAIN && x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 &&
           x->opcode == 0xfd;
}
