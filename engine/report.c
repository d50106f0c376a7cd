/* report.c: see report.h. */
#include "engine/report.h"
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"

static void print_state(void)
{
    struct thread *t = &thr_self;
    ct_print(2, "cotter: thread %d, application pc 0x%lx, sp 0x%lx, %s\n", t->tid, arch_pc(&t->arch.regs),
             arch_sp(&t->arch.regs), arch_info.name);
    for (u32 i = 0; i < ARRAY_LEN(t->last_pc) && i < t->n_last; i++)
        ct_print(2, "cotter:   dispatched %u ago: 0x%lx\n", i, t->last_pc[(t->n_last - 1 - i) % ARRAY_LEN(t->last_pc)]);
    ct_print(2, "cotter: planted image 0x%lx-0x%lx (%s)\n", engine_handoff->image_lo, engine_handoff->image_hi,
             engine_handoff->tool_path);
}

void report_init(void) { panic_set_reporter(print_state); }

void report_crash(struct thread *t, int sig, const struct k_siginfo *info, const struct k_ucontext *uc)
{
    addr_t pc = arch_context_pc(uc);
    ct_print(2, "cotter: the engine failed: signal %d (code %d, address 0x%lx) at 0x%lx%s\n", sig, info->code,
             info->addr, pc, cache_holds(pc) ? " in the code cache" : "");
    if (pc >= engine_handoff->image_lo && pc < engine_handoff->image_hi)
        ct_print(2, "cotter: look it up: addr2line -fe %s 0x%lx\n", engine_handoff->tool_path, pc - engine_handoff->image_lo);
    print_state();
    for (;;)
        sys1(__NR_exit_group, EXIT_COTTER_FAILED);
}
