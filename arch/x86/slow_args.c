/* slow_args.c: what the arguments of a slow call are worth, and what the routine changed through them. */
#include "arch/x86/context.h"
#include "arch/x86/inline.h"
#include "arch/x86/slow.h"
#include "engine/hooks.h"

/* ---- registers and memory ---- */
/* What the instruction adds to the stack pointer; calls at POINT_TAKEN of calls and returns are made before it. */
static s64 stack_change(const struct slow_call *c)
{
    if (c->point != POINT_TAKEN)
        return 0;
    if (c->insn.kind == INSN_CALL || c->insn.kind == INSN_CALL_IND)
        return -8;
    if (c->insn.kind == INSN_RET)
        return 8 + (c->insn.a.x.imm_size ? (u16)c->insn.a.x.imm : 0);
    return 0;
}

static u64 stack_pointer(const struct evaluation *v) { return v->f->gpr[RSP] + (u64)stack_change(v->c); }

static u64 base_of(const struct evaluation *v, u32 seg)
{
    return seg == X86_SEG_FS ? x86_app_fs() : seg == X86_SEG_GS ? v->t->arch.app_gs : 0;
}

u64 arch_address_value(const struct arch_address *a, const u64 *g, u64 fs, u64 gs)
{
    u64 at = (u64)a->disp;
    if (a->base >= 0)
        at += g[a->base];
    if (a->index >= 0)
        at += g[a->index] * a->scale;
    if (a->form == ADDRESS_TABLE)
        at += (u8)g[RAX];
    if (a->form == ADDRESS_BITS) {
        s64 n = a->unit == 8 ? (s64)g[a->bits] : a->unit == 4 ? (s32)g[a->bits] : (int16_t)g[a->bits];
        at += (u64)(n >> (a->unit == 8 ? 6 : a->unit == 4 ? 5 : 4)) * a->unit;
    }
    return (a->is32 ? (u32)at : at) + (a->seg == X86_SEG_FS ? fs : a->seg == X86_SEG_GS ? gs : 0);
}

static u64 address_value(const struct evaluation *v, const struct arch_address *a)
{
    return arch_address_value(a, v->f->gpr, a->seg ? base_of(v, X86_SEG_FS) : 0, v->t->arch.app_gs);
}

static u64 load_word(u64 at)
{
    u64 w;
    return mem_copy_safely(&w, (void *)at, 8) ? w : 0;
}

static u64 target(const struct evaluation *v, const struct arg *a)
{
    if (a->reg.file == RF_GPR)
        return v->f->gpr[a->reg.num];
    return load_word(address_value(v, &a->address));
}

/* Where an indirect jump or call goes: its calls on the way are made before it. */
static addr_t indirect_target(const struct evaluation *v)
{
    const struct x86_insn *x = &v->c->insn.a.x;
    struct x86_operand o;
    if (x->modrm >> 6 == 3)
        return v->f->gpr[(x->modrm & 7) | (x->rex & 1) << 3];
    x86_operand(x, &o);
    u64 at = x->rip_rel ? insn_next(&v->c->insn) + (u64)(s64)x->disp : (u64)o.disp;
    if (!x->rip_rel && o.base >= 0)
        at += v->f->gpr[o.base];
    if (!x->rip_rel && o.index >= 0)
        at += v->f->gpr[o.index] * o.scale;
    return load_word((x->addr32 ? (u32)at : at) + base_of(v, x->seg));
}

static addr_t place(const struct evaluation *v)
{
    const struct insn *in = &v->c->insn;
    if (v->c->point == POINT_BEFORE)
        return in->pc;
    if (v->c->point == POINT_AFTER)
        return arch_is_repeated(in) && x86_rep_goes_on(&in->a.x, v->f) ? in->pc : insn_next(in);
    if (in->target)
        return in->target;
    if (in->kind == INSN_RET)
        return load_word(v->f->gpr[RSP]);
    return in->kind == INSN_JUMP_IND || in->kind == INSN_CALL_IND ? indirect_target(v) : in->pc;
}

/* Registers as a context, which knows where each one is. */
void x86_fill_context(struct evaluation *v, struct arch_context *c)
{
    memcpy(c->regs.gpr, v->f->gpr, sizeof c->regs.gpr);
    c->regs.gpr[RSP] = stack_pointer(v);
    c->regs.flags = v->f->flags;
    c->regs.pc = place(v);
    x86_context_bases(c, v->t);
    c->xstate = v->image;
    c->frame = NULL;
    c->is_const = 0;
}

static u64 reg_value(struct evaluation *v, struct reg_id r)
{
    u64 w = 0;
    switch ((enum reg_file)r.file) {
    case RF_GPR:
        w = r.num == RSP ? stack_pointer(v) : v->f->gpr[r.num];
        memcpy(&w, (u8 *)&w + r.offset, r.size);
        break;
    case RF_FLAGS: w = v->f->flags; break;
    case RF_PC: w = place(v); break;
    case RF_TOOL: memcpy(&w, (u8 *)&v->t->arch.tool_reg[r.num] + r.offset, r.size); return w;
    case RF_FS_BASE: return base_of(v, X86_SEG_FS);
    case RF_GS_BASE: return base_of(v, X86_SEG_GS);
    default: {
        struct arch_context c;
        x86_fill_context(v, &c);
        u8 bytes[64] = { 0 };
        arch_context_read(&c, r, bytes);
        memcpy(&w, bytes, MIN(r.size, 8u));
        return w;
    }
    }
    return r.size >= 8 ? w : w & ((1ull << r.size * 8) - 1);
}

static bool lies_in_frame(struct reg_id r) { return r.file == RF_GPR || r.file == RF_FLAGS || r.file == RF_TOOL; }

static u64 reference(struct evaluation *v, u32 k, struct reg_id r, bool is_const)
{
    u8 *p = NULL;
    if (r.file == RF_GPR)
        p = (u8 *)&v->f->gpr[r.num] + r.offset;
    else if (r.file == RF_FLAGS)
        p = (u8 *)&v->f->flags;
    else if (r.file == RF_TOOL)
        p = (u8 *)&v->t->arch.tool_reg[r.num] + r.offset;
    if (p && !is_const)
        return (u64)p;
    if (p) {
        memcpy(v->buffer[k], p, r.size);
    } else if (r.file == RF_FS_BASE || r.file == RF_GS_BASE || r.file == RF_SEG || r.file == RF_PC) {
        u64 w = reg_value(v, r);
        memcpy(v->buffer[k], &w, 8);
    } else {
        struct arch_context c = { .xstate = v->image };
        arch_context_read(&c, r, v->buffer[k]);
    }
    return (u64)v->buffer[k];
}

static u64 context_pointer(struct evaluation *v, u64 how)
{
    struct arch_context *c = v->context;
    x86_fill_context(v, c);
    c->is_const = (how & CONTEXT_KIND) == CONTEXT_CONST;
    c->xstate = NULL;
    c->frame = v->c->uses_vectors ? v->f : NULL;  /* taken from there when the tool asks for it */
    return (u64)c;
}

u64 x86_arg_value(struct evaluation *v, u32 k)
{
    const struct arg *a = &v->c->call.arg[k];
    switch ((enum arg_kind)a->kind) {
    case ARG_CONST: return a->value;
    case ARG_REG: return reg_value(v, a->reg);
    case ARG_REG_REF: return reference(v, k, a->reg, false);
    case ARG_REG_CONST_REF: return reference(v, k, a->reg, true);
    case ARG_ADDRESS: return address_value(v, &a->address);
    case ARG_STACK: return load_word(stack_pointer(v) + a->value);
    case ARG_STACK_REF: return stack_pointer(v) + a->value;
    case ARG_THREAD: return v->t->index;
    case ARG_TAKEN: return x86_is_taken(v->c, v->f);
    case ARG_TARGET: return target(v, a);
    case ARG_EXECUTING: return x86_executes(v->c, v->f);
    case ARG_FIRST_REP: return v->t->arch.rep_pc != v->c->insn.pc && x86_rep_count(&v->c->insn.a.x, v->f) != 0;
    case ARG_CLOCK: return __builtin_ia32_rdtsc();
    case ARG_CONTEXT: return context_pointer(v, a->value);
    case ARG_SYSCALL_RESULT: return v->f->gpr[RAX] > -4096ul ? ~0ull : v->f->gpr[RAX];
    case ARG_SYSCALL_ERROR: return v->f->gpr[RAX] > -4096ul ? -v->f->gpr[RAX] : 0;
    case ARG_HOOK: {
        struct arch_context c;
        x86_fill_context(v, &c);
        return hooks.argument(a->value, &c);
    }
    case ARG_ADDRESS_ON: return 1;
    case ARG_HERE: return v->c->insn.pc;
    }
    return 0;
}

/* ---- what the routine changed ---- */
static void take_back_partial(struct evaluation *v, u64 how)
{
    struct arch_context *c = v->context;
    for (u32 r = 0; r < 16; r++)
        if (how >> (CONTEXT_OUT_GPR + r) & 1)
            v->f->gpr[r] = c->regs.gpr[r];
    for (u32 r = 0; r < ARCH_TOOL_REGS; r++)
        if (how >> (CONTEXT_OUT_TOOL + r) & 1)
            v->t->arch.tool_reg[r] = c->tool_reg[r];
    if (how & CONTEXT_OUT_FLAGS)
        v->f->flags = c->regs.flags;
    if (how & CONTEXT_OUT_XSTATE && c->xstate) {
        memcpy(v->image, c->xstate, arch_context_xsize());
        v->is_changed = true;
    }
}

static void take_back_reference(struct evaluation *v, u32 k, struct reg_id r)
{
    if (lies_in_frame(r))
        return;
    if (r.file == RF_FS_BASE) {
        v->t->arch.fs_copy = *(u64 *)v->buffer[k];
        __asm__ volatile("wrgsbase %0" : : "r"(v->t->arch.fs_copy));
    } else if (r.file == RF_GS_BASE) {
        v->t->arch.app_gs = *(u64 *)v->buffer[k];
    } else {
        struct arch_context c = { .xstate = v->image };
        arch_context_write(&c, r, v->buffer[k]);
        v->is_changed = true;
    }
}

static void store_result(struct evaluation *v, struct reg_id r, u64 value)
{
    if (lies_in_frame(r)) {
        u8 *p = (u8 *)reference(v, 0, r, false);
        if (r.size == 4)
            memset(p, 0, 8);
        memcpy(p, &value, r.size);
    }
}

void x86_take_back(struct evaluation *v, u64 result)
{
    const struct call *c = &v->c->call;
    for (u32 k = 0; k < c->n_args; k++) {
        if (c->arg[k].kind == ARG_REG_REF)
            take_back_reference(v, k, c->arg[k].reg);
        else if (c->arg[k].kind == ARG_CONTEXT && (c->arg[k].value & CONTEXT_KIND) == CONTEXT_PARTIAL)
            take_back_partial(v, c->arg[k].value);
    }
    if (c->flags & CALL_RETURNS)
        store_result(v, c->result, result);
    v->t->arch.regs.gpr[RSP] = v->f->gpr[RSP];
}
