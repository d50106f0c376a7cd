/* far.c: transfers that name a code segment. Within 64-bit code they are ordinary ones; to a segment of 32-bit code, which exists
 * natively, they are refused; any other faults. */
#include "arch/x86/arch_types.h"
#include "arch/x86/emulate.h"
#include "engine/thread.h"

struct far_pointer { u64 to; u16 selector; };

/* A return goes to no inner level: the selector itself must say user mode. A jump takes the level that it has. */
static bool may_go(const struct insn *in, const struct far_pointer *p, bool returns, struct emulate_out *out)
{
    enum { USER = 3, NULL_SELECTORS = 3 };
    u32 rights = p->selector > NULL_SELECTORS ? x86_access_rights(p->selector) : 0;
    if ((rights & RIGHTS_CODE) != RIGHTS_CODE || (rights & RIGHTS_DPL) != RIGHTS_DPL || (returns && (p->selector & 3) != USER))
        x86_selector_fault(out, TRAP_PROTECTION, p->selector);
    else if (!(rights & RIGHTS_PRESENT))
        x86_selector_fault(out, TRAP_NOT_PRESENT, p->selector);
    else if (!(rights & RIGHTS_LONG))
        x86_refuse(in, "a switch to 32-bit code");
    else if (!arch_is_canonical(p->to))
        x86_selector_fault(out, TRAP_PROTECTION, 0);
    else
        return true;
    return false;
}

/* `order`: which word is read first shows if none can be. */
static bool pop_words(struct thread *t, u64 *to, u32 n, u32 size, const u8 *order)
{
    memset(to, 0, n * sizeof *to);
    for (u32 i = 0; i < n; i++)
        if (!x86_read_stack(t, t->arch.regs.gpr[RSP] + order[i] * size, &to[order[i]], size))
            return false;
    return true;
}

/* lret: address and selector from the stack, then imm16 bytes more. */
static enum emulate_result far_return(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    static const u8 order[] = { 1, 0 };
    u64 w[2];
    u32 size = x86_far_size(in, true);
    if (!pop_words(t, w, 2, size, order))
        return EMULATE_FAULT;
    if (!may_go(in, &(struct far_pointer){ w[0], (u16)w[1] }, true, out))
        return EMULATE_SIGNAL;
    t->arch.regs.gpr[RSP] += 2 * size + (in->a.x.imm_size ? (u16)in->a.x.imm : 0);
    t->arch.regs.pc = w[0];
    return EMULATE_DONE;
}

/* The way back of lcall. */
static bool push_return(struct thread *t, const struct insn *in, u32 size)
{
    enum { CODE_64 = 0x33 };
    u64 *sp = &t->arch.regs.gpr[RSP], selector = CODE_64, next = insn_next(in);
    if (!x86_write_stack(t, *sp - size, &selector, size) || !x86_write_stack(t, *sp - 2 * size, &next, size))
        return false;
    *sp -= 2 * size;
    return true;
}

/* ljmp and lcall through memory (ff /5, /3). */
static enum emulate_result far_indirect(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    struct far_pointer p = { 0 };
    bool is_call = (in->a.x.modrm >> 3 & 7) == 3;
    u32 size = x86_far_size(in, false);
    if (!x86_read_operand(t, in, 0, &p.to, size) || !x86_read_operand(t, in, size, &p.selector, 2))
        return EMULATE_FAULT;
    if (!may_go(in, &p, false, out))
        return EMULATE_SIGNAL;
    if (is_call && !push_return(t, in, size))
        return EMULATE_FAULT;
    t->arch.regs.pc = p.to;
    return EMULATE_DONE;
}

/* iret: address, code segment, flags, stack pointer, stack segment. In 64-bit mode it takes all five at any size. */
static enum emulate_result iret(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    enum { USER = 0x254dd5, NESTED_TASK = 0x4000 };   /* CF PF AF ZF SF TF DF OF NT RF AC ID */
    static const u8 order[] = { 2, 1, 0, 3, 4 };
    u64 w[5], *flags = &t->arch.regs.flags;
    u32 size = x86_far_size(in, true);
    if (*flags & NESTED_TASK)
        return x86_selector_fault(out, TRAP_PROTECTION, 0);
    if (!pop_words(t, w, 5, size, order))
        return EMULATE_FAULT;
    if (!may_go(in, &(struct far_pointer){ w[0], (u16)w[1] }, true, out) || !x86_may_be_stack((u16)w[4], out))
        return EMULATE_SIGNAL;
    u64 mask = size == 2 ? USER & 0xffff : USER;
    __asm__ volatile("mov %w0, %%ss" : : "r"((u16)w[4]));
    t->arch.regs.pc = w[0];
    *flags = (*flags & ~mask) | (w[2] & mask);
    t->arch.regs.gpr[RSP] = w[3];
    return EMULATE_DONE;
}

enum emulate_result x86_far_transfer(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    switch (in->a.x.opcode) {
    case 0xca: case 0xcb: return far_return(t, in, out);
    case 0xff: return far_indirect(t, in, out);
    case 0xcf: return iret(t, in, out);
    default: x86_refuse(in, "a return from a user interrupt");
    }
}
