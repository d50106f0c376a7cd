/* nested.c: routines of the tool in the place of the application's, and application code that they run themselves.
 *
 * Nested application code runs on its own stack as always; the engine's stack goes on below the routine that waits. When it
 * comes to ARCH_NESTED_RETURN, that routine goes on. */
#include "arch/x86/bridge.h"
#include "arch/x86/context.h"
#include "base/panic.h"
#include "engine/jit/promote.h"
#include "engine/thread.h"

/* entry points in nested.S */
void x86_call_in_place(const void *fn, struct arch_regs *r, const u64 *stack);
struct nested {                                   /* nested.S knows its first word */
    u64 sp;
    struct nested *outer;
    u64 engine_sp, bridge_sp;
    struct arch_regs regs;
    u8 *hosted;
};
void x86_nested_begin(struct nested *n);
void x86_nested_return(struct nested *n) NORETURN;

/* ---- in the place of a routine ---- */
enum { STACK_WORDS = 16 };                        /* arguments on the stack that are passed on */

void arch_call_in_place(struct thread *t, const void *fn)
{
    u64 stack[STACK_WORDS] = { 0 };
    for (u32 i = 0; i < STACK_WORDS; i++)
        if (!mem_copy_safely(&stack[i], (u64 *)t->arch.regs.gpr[RSP] + 1 + i, 8))
            break;
    promote_fold();
    x86_call_in_place(fn, &t->arch.regs, stack);
}

void arch_call_with_signature(struct thread *t, const struct call *c, bool returns_float)
{
    struct x86_frame frame, *f = &frame;
    u8 keep[sizeof(struct slow_call) + MAX_CALL_ARGS * sizeof(struct arg)] __attribute__((aligned(16)));
    struct slow_call *s = (struct slow_call *)keep;
    memset(s, 0, sizeof *s);
    memcpy(&s->call, c, sizeof *c + c->n_args * sizeof *c->arg);
    s->insn.pc = t->arch.regs.pc;
    s->point = POINT_BEFORE;
    s->uses_vectors = !returns_float;             /* else the routine's xmm0 is the result: nothing is put back */
    memcpy(f->gpr, t->arch.regs.gpr, sizeof f->gpr);
    f->flags = t->arch.regs.flags;
    promote_fold();
    u64 r = x86_slow(f, s);
    memcpy(t->arch.regs.gpr, f->gpr, sizeof f->gpr);
    t->arch.regs.gpr[RAX] = r;
}

void arch_return_from_routine(struct thread *t)
{
    u64 *g = t->arch.regs.gpr, back = 0;
    mem_copy_safely(&back, (void *)g[RSP], 8);
    g[RSP] += 8;
    t->arch.regs.pc = back;
}

/* ---- nested ---- */
void arch_run_nested(struct thread *t)
{
    struct nested n = { .outer = t->nested, .engine_sp = t->arch.engine_sp, .bridge_sp = t->arch.bridge_sp,
                        .hosted = t->arch.hosted };
    t->nested = &n;
    t->arch.hosted = NULL;
    t->arch.engine_sp = ROUND_DOWN((addr_t)__builtin_frame_address(0) - 1024, 64ul);
    arch_stack_init(&t->arch);
    x86_nested_begin(&n);                         /* comes back through arch_nested_end */
    t->arch.engine_sp = n.engine_sp;
    t->arch.bridge_sp = n.bridge_sp;
    t->arch.hosted = n.hosted;
    t->nested = n.outer;
}

void arch_nested_end(struct thread *t) { x86_nested_return(t->nested); }

static const u8 int_arg[] = { RDI, RSI, RDX, RCX, R8, R9 };

void arch_prepare_call(struct arch_context *c, addr_t fn, const u64 *args, u32 n, addr_t back)
{
    u64 *g = c->regs.gpr;
    u32 on_stack = n > ARRAY_LEN(int_arg) ? n - (u32)ARRAY_LEN(int_arg) : 0;
    u64 sp = ROUND_DOWN(g[RSP] - 256, 16ul) - (on_stack & 1) * 8;      /* below the red zone */
    for (u32 i = 0; i < MIN(n, (u32)ARRAY_LEN(int_arg)); i++)
        g[int_arg[i]] = args[i];
    for (u32 i = on_stack; i; i--) {
        sp -= 8;
        mem_copy_safely((void *)sp, &args[ARRAY_LEN(int_arg) + i - 1], 8);
    }
    sp -= 8;
    mem_copy_safely((void *)sp, &back, 8);
    g[RSP] = sp;
    g[RAX] = 0;                                   /* no vector arguments, for variadic routines */
    c->regs.pc = fn;
}

u64 arch_call_result(const struct arch_thread *t, bool is_float)
{
    u64 r = t->regs.gpr[RAX];
    if (is_float)
        __asm__ volatile("movq %%xmm0, %0" : "=r"(r));
    return r;
}
