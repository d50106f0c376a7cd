/* check.c: emitted code and comparisons for --check-state (engine/jit/check.c). */
#include "arch/x86/bridge.h"
#include "arch/x86/park.h"
#include "arch/x86/r11.h"

enum { RAW_SLOT = X86_SLOTS - 2 };

static void take(const struct x86_frame *f, struct arch_regs *out)
{
    memcpy(out->gpr, f->gpr, sizeof out->gpr);
    out->flags = f->flags;
}

static u64 raw(struct x86_frame *f, u64 code)
{
    struct arch_regs r = { 0 };
    take(f, &r);
    check_found(code, &r);
    return 0;
}

static u64 seen(struct x86_frame *f, u64 pc)
{
    struct arch_regs r = { .pc = pc };
    take(f, &r);
    check_seen(&r);
    return 0;
}

/* r11 may hold something of the engine's for what follows (record.c). */
void arch_emit_check(struct emit *e, const struct site *s)
{
    u64 start = (u64)e->p;
    x86_emit_look(e, s, true, start, raw);
    if (x86_owns_r11(e))
        put_store_tls(e, R11, AT_SLOT(RAW_SLOT));
    put_parked(e, e->held.lent);
    e->held.constant = 0;
    x86_emit_look(e, s, false, s->list[s->i].pc, seen);
    if (x86_owns_r11(e))
        put_load_tls(e, R11, AT_SLOT(RAW_SLOT));
}

bool arch_differ(const struct arch_regs *a, const struct arch_regs *b, struct arch_difference *out)
{
    static const char *const name[16] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                          "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
    for (u32 r = 0; r < 16; r++)
        if (a->gpr[r] != b->gpr[r]) {
            *out = (struct arch_difference){ name[r], a->gpr[r], b->gpr[r] };
            return true;
        }
    if (a->flags != b->flags)
        *out = (struct arch_difference){ "flags", a->flags, b->flags };
    else if (a->pc != b->pc)
        *out = (struct arch_difference){ "pc", a->pc, b->pc };
    return a->flags != b->flags || a->pc != b->pc;
}
