/* branch.c: an indirect branch to an address that cannot be one. The CPU faults at the branch, before anything has changed;
 * in the cache the search for the target is over by then, and what the branch did to the stack pointer is undone. */
#include "arch/arch.h"
#include "arch/x86/x87.h"
#include "arch_signal.h"

/* A call has pushed its return address: the word below the stack pointer stays changed. */
static void undo(struct arch_regs *r, const struct x86_insn *x)
{
    if (x->kind == X86_RET)
        r->gpr[RSP] -= 8 + (x->imm_size ? (u16)x->imm : 0u);
    else if (x->kind == X86_CALL_IND)
        r->gpr[RSP] += 8;
}

bool arch_undo_branch(struct arch_thread *t)
{
    u8 bytes[15];
    struct x86_insn x;
    addr_t pc;
    u32 n = sizeof bytes;
    if (!x86_find_by_half(t->branch, &pc))
        return false;
    while (n && !mem_copy_safely(bytes, (void *)pc, n))
        n--;
    if (!n || !x86_decode(bytes, n, &x))
        return false;
    undo(&t->regs, &x);
    t->regs.pc = pc;
    return true;
}
