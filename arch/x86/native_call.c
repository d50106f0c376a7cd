/* native_call.c: the calls of a probe: what their arguments are worth. */
#include "arch/native.h"
#include "arch/x86/bridge.h"
#include "arch/x86/context.h"
#include "arch/x86/native_offsets.h"
#include "engine/native.h"

struct evaluation {
    struct arch_native_frame *f;
    u8 *xsave;
    addr_t pc;
    struct arch_context *context;
    u8 (*buffer)[64];
};

static bool shows_context(const struct arg *a)
{
    return a->kind == ARG_CONTEXT || a->kind == ARG_REG_CONST_REF || (a->kind == ARG_REG && a->reg.file != RF_GPR);
}

static bool needs_all(const struct call *c)
{
    for (u32 k = 0; k < c->n_args; k++)
        if (shows_context(&c->arg[k]))
            return true;
    return false;
}

static void fill(const struct evaluation *v)
{
    struct arch_context *c = v->context;
    memcpy(c->regs.gpr, v->f->gpr, sizeof c->regs.gpr);
    c->regs.flags = v->f->flags;
    c->regs.pc = v->pc;
    c->fs_base = arch_native_pointer();
    c->gs_base = 0;
    memset(c->tool_reg, 0, sizeof c->tool_reg);
    c->xstate = v->xsave;
    c->frame = NULL;
    c->is_const = 0;
}

static u64 gpr_value(const struct evaluation *v, struct reg_id r)
{
    u64 w = 0;
    memcpy(&w, (u8 *)&v->f->gpr[r.num] + r.offset, r.size);
    return w;
}

static u64 any_value(const struct evaluation *v, struct reg_id r)
{
    u8 bytes[64] = { 0 };
    u64 w;
    fill(v);
    arch_context_read(v->context, r, bytes);
    memcpy(&w, bytes, 8);
    return r.size >= 8 ? w : w & ((1ull << r.size * 8) - 1);
}

static u64 copy_of(const struct evaluation *v, u32 k, struct reg_id r)
{
    fill(v);
    arch_context_read(v->context, r, v->buffer[k]);
    return (u64)v->buffer[k];
}

static u64 context_of(const struct evaluation *v)
{
    fill(v);
    return (u64)v->context;
}

static u64 value_of(const struct evaluation *v, u32 k, const struct arg *a)
{
    switch ((enum arg_kind)a->kind) {
    case ARG_CONST: return a->value;
    case ARG_REG: return a->reg.file == RF_GPR ? gpr_value(v, a->reg) : any_value(v, a->reg);
    case ARG_REG_REF: return (u64)&v->f->gpr[a->reg.num] + a->reg.offset;
    case ARG_REG_CONST_REF: return copy_of(v, k, a->reg);
    case ARG_STACK: return *(u64 *)(v->f->gpr[RSP] + a->value);
    case ARG_STACK_REF: return v->f->gpr[RSP] + a->value;
    case ARG_HERE: return v->pc;
    case ARG_CLOCK: return __builtin_ia32_rdtsc();
    case ARG_CONTEXT: return context_of(v);
    default: return 0;                                  /* the tool interface lets no other through */
    }
}

u64 x86_call_args(const void *fn, const u64 *args, u64 n);

static u64 make(const struct evaluation *v, const struct call *c)
{
    u64 args[MAX_CALL_ARGS];
    for (u32 k = 0; k < c->n_args; k++)
        args[k] = value_of(v, k, &c->arg[k]);
    return x86_call_args(c->fn, args, MAX(c->n_args, (u32)ABI_REGS));
}

/* Large objects only where they are needed: the stack is the application's. */
static __attribute__((noinline)) u64 make_with_context(struct evaluation *v, const struct call *c)
{
    struct arch_context context;
    u8 buffer[c->n_args + 1][64];
    v->context = &context;
    v->buffer = buffer;
    return make(v, c);
}

static u64 one_call(struct arch_native_frame *f, u8 *xsave, addr_t pc, const struct call *c)
{
    struct evaluation v = { f, xsave, pc, NULL, NULL };
    return needs_all(c) ? make_with_context(&v, c) : make(&v, c);
}

/* ---- lists ---- */
static const struct call *load(struct call *const *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

static bool any_needs_all(const struct call *c)
{
    for (; c; c = load(&c->next))
        if (needs_all(c))
            return true;
    return false;
}

/* A call that needs more than was saved came to the list after this thread did: it has missed it. */
static void run(struct call *const *list, struct arch_native_frame *f, u8 *xsave, bool has_vectors, addr_t pc)
{
    for (const struct call *c = load(list); c; c = load(&c->next))
        if ((has_vectors || c->flags & CALL_PRESERVES) && (xsave || !needs_all(c)))
            one_call(f, xsave, pc, c);
}

/* The registers still hold everything: C code of the engine leaves vector registers alone. */
static __attribute__((noinline)) void run_with_image(struct call *const *list, struct arch_native_frame *f, addr_t pc)
{
    u8 image[ARCH_XSTATE_MAX] __attribute__((aligned(64)));
    x86_xsave(image);
    run(list, f, image, true, pc);
}

static void run_list(struct call *const *list, struct arch_native_frame *f, bool has_vectors, addr_t pc)
{
    if (has_vectors && any_needs_all(load(list)))
        run_with_image(list, f, pc);
    else
        run(list, f, NULL, has_vectors, pc);
}

/* ---- from native.S ---- */
static void catch_return(struct native_probe *p, struct arch_native_frame *f)
{
    if (load(&p->after))
        native_catch_return((addr_t *)f->gpr[RSP], p);
}

void x86_native_calls(struct native_probe *p, struct arch_native_frame *f, bool has_vectors)
{
    run_list(&p->before, f, has_vectors, p->at);
    catch_return(p, f);
}

void x86_native_calls_at(struct native_probe *p, struct arch_native_frame *f, u8 *xsave)
{
    run(&p->before, f, xsave, true, p->at);
}

struct native_probe *x86_native_whose(struct arch_native_frame *f)
{
    struct native_probe *p;
    f->back = native_returned((addr_t *)f->gpr[RSP] - 1, &p);
    return p;
}

void x86_native_after(struct native_probe *p, struct arch_native_frame *f, bool has_vectors)
{
    run_list(&p->after, f, has_vectors, f->back);
}

static __attribute__((noinline)) u64 signature_with_image(struct native_probe *p, struct arch_native_frame *f)
{
    u8 image[ARCH_XSTATE_MAX] __attribute__((aligned(64)));
    x86_xsave(image);
    return one_call(f, image, p->at, p->replacement);
}

/* Nothing here uses vector registers, so a result in one gets through. */
u64 x86_native_signature(struct native_probe *p, struct arch_native_frame *f, bool has_vectors)
{
    return needs_all(p->replacement) ? signature_with_image(p, f) : one_call(f, NULL, p->at, p->replacement);
}

bool arch_native_uses_vectors(const struct call *c) { return needs_all(c) || x86_routine(c->fn)->uses_vectors; }
