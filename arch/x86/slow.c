/* slow.c: analysis calls whose arguments C works out. Emitted code has put all registers and flags into the frame.
 *
 * The engine is compiled without vector instructions, so those registers hold the application's state until the tool is
 * called. They are saved when the routine may change them, or when an argument shows or changes them. */
#include "arch/x86/slow.h"
#include "arch/x86/context.h"
#include "arch/x86/xstate.h"
#include "engine/jit/promote.h"
#include "engine/hooks.h"

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
        args[k] = x86_arg_value(v, k);
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
    x86_take_back(v, r);
    put_back(v, v->c->uses_vectors);
    return r;
}

u64 x86_buffer_full(struct x86_frame *f, struct slow_call *c)
{
    struct evaluation v = { .f = f, .c = c, .t = &thr_self };
    struct arch_context context;
    x86_fill_context(&v, &context);
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
        u64 value = x86_arg_value(v, k);
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
    if (c->call.flags & CALL_PREDICATED && !x86_executes(c, f))
        return 0;
    if (needs_image(&c->call))
        return make_with_image(&v);
    if (has_references(&c->call))
        return make_with_buffer(&v);
    return has_context(&c->call) ? make_with_context(&v) : make(&v);
}
