/* branch.c: an indirect branch to an address that cannot be one. The CPU faults at the branch, before anything has changed;
 * in the cache the search for the target is over by then, and what the branch did to the stack pointer is undone.
 *
 * Only a handler for SIGSEGV can tell the difference, and the store that names a branch costs 3 % of the time of programs
 * with many calls: branches are named when the program has such a handler, with --strict and with --stats. */
#include "arch/x86/emit.h"
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

bool x86_names_branches;

bool arch_name_branches(void)
{
    bool is_new = !x86_names_branches;
    x86_names_branches = true;
    return is_new;
}

void put_branch_name(struct emit *e)
{
    if (x86_names_branches)
        put_store_const(e, (u32)(addr_t)e->p, AT_BRANCH);
}

static bool find(const struct arch_thread *t, addr_t *pc, struct x86_insn *x)
{
    if (!x86_names_branches)
        return false;
    u8 bytes[15];
    u32 n = sizeof bytes;
    if (!x86_find_by_half(t->branch, pc))
        return false;
    while (n && !mem_copy_safely(bytes, (void *)*pc, n))
        n--;
    return n && x86_decode(bytes, n, x);
}

bool arch_undo_branch(struct arch_thread *t)
{
    struct x86_insn x;
    addr_t pc;
    if (!find(t, &pc, &x))
        return false;
    undo(&t->regs, &x);
    t->regs.pc = pc;
    return true;
}

enum branch_kind arch_branch_kind(const struct arch_thread *t)
{
    struct x86_insn x;
    addr_t pc;
    if (!find(t, &pc, &x))
        return BRANCH_JUMP;
    return x.kind == X86_RET ? BRANCH_RETURN : x.kind == X86_CALL_IND ? BRANCH_CALL : BRANCH_JUMP;
}
