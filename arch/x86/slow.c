/* slow.c: analysis calls whose arguments C works out. Emitted code has put all registers and flags into the frame.
 *
 * The engine is compiled without vector instructions, so those registers hold the application's state until the tool is
 * called. They are saved when the routine may change them, or when an argument shows or changes them. */
#include "arch/x86/bridge.h"
#include "arch/x86/inline.h"
#include "arch/x86/context.h"
#include "arch/x86/xstate.h"
#include "base/panic.h"
#include "engine/jit/promote.h"
#include "engine/hooks.h"
#include "engine/thread.h"

struct evaluation {
    struct x86_frame *f;
    const struct slow_call *c;
    struct thread *t;
    struct arch_context *context;                 /* of the context argument, if there is one */
    bool is_changed;                              /* the image is to be loaded */
    u8 *image;                                    /* an xsave image, when a register of it is shown or changed */
    u8 (*buffer)[64];                             /* copies of vector registers, one per argument */
};

struct slow_call *x86_slow_call(const struct site *s, const struct call *c)
{
    size_t args = c->n_args * sizeof *c->arg;
    struct slow_call *w = instr_keep(sizeof *w + args);
    w->insn = s->list[s->i];
    memcpy(w->bytes, w->insn.bytes, w->insn.len);
    w->insn.bytes = w->bytes;
    w->point = (u8)s->point;
    w->uses_vectors = !(c->flags & CALL_PRESERVES) && (c->flags & CALL_BUFFER || x86_routine(c->fn)->uses_vectors);
    memcpy(&w->call, c, sizeof *c + args);
    return w;
}

/* ---- conditions ---- */
static bool condition(u32 cc, u64 flags)
{
    bool cf = flags & X86_CF, zf = flags & X86_ZF, sf = flags & X86_SF, of = flags & X86_OF, pf = flags & X86_PF, r;
    switch (cc >> 1) {
    case 0: r = of; break;
    case 1: r = cf; break;
    case 2: r = zf; break;
    case 3: r = cf || zf; break;
    case 4: r = sf; break;
    case 5: r = pf; break;
    case 6: r = sf != of; break;
    default: r = zf || sf != of; break;
    }
    return r != (cc & 1);
}

/* loop, loope, loopne, jrcxz (e0..e3) */
static bool loop_taken(const struct x86_insn *x, const struct x86_frame *f)
{
    u64 count = x->addr32 ? (u32)f->gpr[RCX] : f->gpr[RCX];
    bool zf = f->flags & X86_ZF;
    switch (x->opcode & 3) {
    case 0: return count != 1 && !zf;
    case 1: return count != 1 && zf;
    case 2: return count != 1;
    default: return count == 0;
    }
}

static bool is_taken(const struct slow_call *c, const struct x86_frame *f)
{
    if (c->point == POINT_TAKEN || c->insn.kind != INSN_COND)
        return true;
    if (c->insn.a.x.kind == X86_JRCXZ)
        return loop_taken(&c->insn.a.x, f);
    return condition(c->insn.a.x.cc, f->flags);
}

static u64 rep_count(const struct x86_insn *x, const struct x86_frame *f)
{
    return x->addr32 ? (u32)f->gpr[RCX] : f->gpr[RCX];
}

/* Behind an iteration: will there be another one? */
static bool rep_goes_on(const struct x86_insn *x, const struct x86_frame *f)
{
    bool compares = (x->opcode & ~1) == 0xa6 || (x->opcode & ~1) == 0xae, zf = f->flags & X86_ZF;
    return rep_count(x, f) != 0 && (!compares || zf == (x->rep == 0xf3));
}

/* fcmovcc: da/db, c0..df: b, e, be, u and their opposites */
static bool fcmov_executes(const struct x86_insn *x, u64 flags)
{
    static const u8 cc[4] = { CC_B, CC_E, CC_BE, 10 };
    return condition(cc[x->modrm >> 3 & 3] ^ (x->opcode & 1u), flags);
}

static bool executes(const struct slow_call *c, const struct x86_frame *f)
{
    const struct x86_insn *x = &c->insn.a.x;
    if (x->enc != X86_ENC_LEGACY)
        return true;
    if (x->map == X86_MAP_0F && x->opcode >= 0x40 && x->opcode <= 0x4f)
        return condition(x->opcode & 15, f->flags);
    if (x->map == X86_MAP_1 && (x->opcode == 0xda || x->opcode == 0xdb) && x->modrm >= 0xc0 && x->modrm < 0xe0)
        return fcmov_executes(x, f->flags);
    if (arch_is_repeated(&c->insn))
        return rep_count(x, f) != 0;
    return true;
}

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
        return arch_is_repeated(in) && rep_goes_on(&in->a.x, v->f) ? in->pc : insn_next(in);
    if (in->target)
        return in->target;
    if (in->kind == INSN_RET)
        return load_word(v->f->gpr[RSP]);
    return in->kind == INSN_JUMP_IND || in->kind == INSN_CALL_IND ? indirect_target(v) : in->pc;
}

/* Registers as a context, which knows where each one is. */
static void fill_context(struct evaluation *v, struct arch_context *c)
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
        fill_context(v, &c);
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
    fill_context(v, c);
    c->is_const = (how & CONTEXT_KIND) == CONTEXT_CONST;
    c->xstate = NULL;
    c->frame = v->c->uses_vectors ? v->f : NULL;  /* taken from there when the tool asks for it */
    return (u64)c;
}

static u64 value_of(struct evaluation *v, u32 k)
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
    case ARG_TAKEN: return is_taken(v->c, v->f);
    case ARG_TARGET: return target(v, a);
    case ARG_EXECUTING: return executes(v->c, v->f);
    case ARG_FIRST_REP: return v->t->arch.rep_pc != v->c->insn.pc && rep_count(&v->c->insn.a.x, v->f) != 0;
    case ARG_CLOCK: return __builtin_ia32_rdtsc();
    case ARG_CONTEXT: return context_pointer(v, a->value);
    case ARG_SYSCALL_RESULT: return v->f->gpr[RAX] > -4096ul ? ~0ull : v->f->gpr[RAX];
    case ARG_SYSCALL_ERROR: return v->f->gpr[RAX] > -4096ul ? -v->f->gpr[RAX] : 0;
    case ARG_HOOK: {
        struct arch_context c;
        fill_context(v, &c);
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

static void take_back(struct evaluation *v, u64 result)
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

/* ---- the call ---- */
/* Does an argument show vector or x87 registers, or call the tool interface? */
static bool needs_image(const struct call *c)
{
    for (u32 k = 0; k < c->n_args; k++) {
        const struct arg *a = &c->arg[k];
        bool is_vector = a->reg.file >= RF_XMM;
        if (a->kind == ARG_HOOK || (a->kind >= ARG_REG && a->kind <= ARG_REG_CONST_REF && is_vector) ||
            (a->kind == ARG_CONTEXT && a->value & CONTEXT_OUT_XSTATE))
            return true;
    }
    return false;
}

static bool has_context(const struct call *c)
{
    for (u32 k = 0; k < c->n_args; k++)
        if (c->arg[k].kind == ARG_CONTEXT)
            return true;
    return false;
}

/* The vector registers as they are to be for the application. */
static void put_back(struct evaluation *v, bool was_saved)
{
    if (v->is_changed || (v->image && !was_saved))
        x86_xrstor(v->image);
    else if (was_saved)
        x86_vectors_load(v->f);
}

static u64 make_call(struct evaluation *v)
{
    u64 args[MAX_CALL_ARGS];
    const struct call *c = &v->c->call;
    for (u32 k = 0; k < c->n_args; k++)
        args[k] = value_of(v, k);
    if (v->image)
        x86_xrstor(v->image);                     /* working the arguments out may have used the registers */
    if (v->c->uses_vectors)
        x86_vectors_save(v->f);
    u32 *mode = c->shares_fp_mode ? (u32 *)(v->image + XSAVE_MXCSR) : NULL;
    if (mode)
        __asm__ volatile("ldmxcsr %0" : : "m"(*mode));
    u64 r = x86_call_args(c->fn, args, MAX(c->n_args, (u32)ABI_REGS));
    if (mode) {
        __asm__ volatile("stmxcsr %0" : "=m"(*mode));
        v->is_changed = true;
    }
    take_back(v, r);
    put_back(v, v->c->uses_vectors);
    return r;
}

u64 x86_buffer_full(struct x86_frame *f, struct slow_call *c)
{
    struct evaluation v = { .f = f, .c = c, .t = &thr_self };
    struct arch_context context;
    fill_context(&v, &context);
    x86_vectors_save(f);
    context.frame = f;
    promote_fold();
    hooks.buffer_full(v.t, c->call.buffer, &context);
    x86_vectors_load(f);
    return 0;
}

/* A record whose fields C works out; then as emitted code would go on. */
static u64 make_record(struct evaluation *v)
{
    const struct call *c = &v->c->call;
    u8 *at = v->t->arch.buffer[c->buffer].at;
    for (u32 k = 0; k < c->n_args; k++) {
        u64 value = value_of(v, k);
        memcpy(at + c->arg[k].offset, &value, c->arg[k].offset_size);
    }
    at += hooks.record_size(c->buffer);
    v->t->arch.buffer[c->buffer].at = at;
    put_back(v, false);
    return at < v->t->arch.buffer[c->buffer].end ? 0 : x86_buffer_full(v->f, (struct slow_call *)v->c);
}

static u64 make(struct evaluation *v) { return v->c->call.flags & CALL_BUFFER ? make_record(v) : make_call(v); }

/* Large objects only where they are needed: this runs often. */
static u64 make_with_context(struct evaluation *v)
{
    struct arch_context context;
    v->context = &context;
    return make(v);
}

static u64 make_with_image(struct evaluation *v)
{
    u8 image[ARCH_XSTATE_MAX] __attribute__((aligned(64))), buffer[MAX_CALL_ARGS][64] __attribute__((aligned(64)));
    x86_xsave(image);
    v->image = image;
    v->buffer = buffer;
    return has_context(&v->c->call) ? make_with_context(v) : make(v);
}

static bool has_references(const struct call *c)
{
    for (u32 k = 0; k < c->n_args; k++)
        if (c->arg[k].kind == ARG_REG_REF || c->arg[k].kind == ARG_REG_CONST_REF)
            return true;
    return false;
}

static u64 make_with_buffer(struct evaluation *v)
{
    u8 buffer[MAX_CALL_ARGS][64] __attribute__((aligned(64)));
    v->buffer = buffer;
    return has_context(&v->c->call) ? make_with_context(v) : make(v);
}

/* ---- calls that the dispatcher makes ---- */
struct kept_calls { u32 n; struct slow_call *call[]; };

void *arch_keep_calls(const struct site *s)
{
    u32 n = 0;
    for (const struct call *c = s->calls; c; c = c->next)
        n++;
    struct kept_calls *k = instr_keep(sizeof *k + n * sizeof *k->call);
    for (const struct call *c = s->calls; c; c = c->next)
        k->call[k->n++] = x86_slow_call(s, c);
    return k;
}

void arch_run_calls(struct thread *t, void *kept)
{
    struct kept_calls *k = kept;
    struct x86_frame frame, *f = &frame;
    memcpy(f->gpr, t->arch.regs.gpr, sizeof f->gpr);
    f->flags = t->arch.regs.flags;
    promote_fold();
    for (u32 i = 0; i < k->n; i++) {
        u64 r = x86_slow(f, k->call[i]);
        if (k->call[i]->call.flags & CALL_IF && !r)
            i++;
    }
    memcpy(t->arch.regs.gpr, f->gpr, sizeof f->gpr);
    t->arch.regs.flags = f->flags;
}

u64 x86_slow(struct x86_frame *f, struct slow_call *c)
{
    struct evaluation v = { .f = f, .c = c, .t = &thr_self };
    if (c->call.flags & CALL_PREDICATED && !executes(c, f))
        return 0;
    if (needs_image(&c->call))
        return make_with_image(&v);
    if (has_references(&c->call))
        return make_with_buffer(&v);
    return has_context(&c->call) ? make_with_context(&v) : make(&v);
}
