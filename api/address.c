/* address.c: the address of a memory operand, as registers and constants to add up.
 *
 * The address is that of the lowest byte touched: a push writes below the stack pointer, a pop into memory computes its
 * address behind the pop, xlat and the bit instructions add a register's part. */
#include "api/iarg.h"

static int machine_number(u32 reg) { return reg == REG_INVALID_ ? -1 : reg_machine_number((REG)reg); }

static bool is_pop(u32 iclass) { return iclass == XED_ICLASS_POP; }

/* The stack of push, pop, call and ret: always 64 bits wide, whatever an address-size prefix says (linkers pad calls with it). */
static bool is_stack(const struct xv_operand *o) { return o->visibility != XV_EXPLICIT && o->base == REG_STACK_PTR; }
static bool is_implicit_push(const struct xv_operand *o) { return is_stack(o) && o->access & XV_WRITE; }

static bool is_bit_instruction(u32 c)
{
    return c == XED_ICLASS_BT || c == XED_ICLASS_BTS || c == XED_ICLASS_BTR || c == XED_ICLASS_BTC ||
           c == XED_ICLASS_BTS_LOCK || c == XED_ICLASS_BTR_LOCK || c == XED_ICLASS_BTC_LOCK;
}

static void add_bit_number(const struct xv_insn *x, struct arch_address *out)
{
    for (u32 k = 0; k < x->n_operands; k++)
        if (x->op[k].kind == XV_REG && x->op[k].visibility == XV_EXPLICIT) {
            out->form = ADDRESS_BITS;
            out->bits = (u8)reg_machine_number((REG)x->op[k].reg);
            out->unit = (u8)(x->op[k].width / 8);
        }
}

void address_of(const struct xv_insn *x, const struct xv_operand *o, struct arch_address *out)
{
    *out = (struct arch_address){ .disp = o->value, .base = -1, .index = -1, .scale = o->scale };
    out->is32 = x->address_width == 32 && !is_stack(o);
    out->seg = o->seg == REG_SEG_FS ? X86_SEG_FS : o->seg == REG_SEG_GS ? X86_SEG_GS : 0;
    if (o->base == REG_INST_PTR || o->base == REG_EIP)
        out->disp += (s64)xv_next(x);
    else
        out->base = (int8_t)machine_number(o->base);
    if (x->iclass == XED_ICLASS_XLAT)
        out->form = ADDRESS_TABLE;
    else if (o->index != REG_INVALID_)
        out->index = (int8_t)machine_number(o->index);
    if (is_bit_instruction(x->iclass))
        add_bit_number(x, out);
    if (is_implicit_push(o))
        out->disp -= o->width / 8;
    if (is_pop(x->iclass) && o->visibility == XV_EXPLICIT && out->base == RSP)
        out->disp += o->width / 8;
}
