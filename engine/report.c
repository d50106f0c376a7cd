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

static bool is_in_image(addr_t a) { return a >= engine_handoff->image_lo && a < engine_handoff->image_hi; }

/* In a callback, or called by emitted code: its return address is on top of the call frame. */
static bool is_in_tool(struct thread *t, addr_t sp) { return arch_is_in_hosted_code(&t->arch, sp); }

/* Words of the stack that look like return addresses into the tool, for addr2line. */
static void print_callers(addr_t pc, addr_t sp)
{
    enum { MOST = 12, LOOK_AT = 512 };
    char line[512];
    size_t n = ct_format(line, sizeof line, "cotter: look it up: addr2line -Cfipe %s", engine_handoff->tool_path);
    u32 found = 0;
    if (is_in_image(pc))
        n += ct_format(line + n, sizeof line - n, " 0x%lx", pc - engine_handoff->image_lo);
    for (u32 i = 0; i < LOOK_AT && found < MOST && n + 24 < sizeof line; i++) {
        u64 w;
        if (!mem_copy_safely(&w, (u64 *)sp + i, 8))
            break;
        if (is_in_image(w) && arch_is_behind_call((const u8 *)w)) {
            n += ct_format(line + n, sizeof line - n, " 0x%lx", w - 1 - engine_handoff->image_lo);
            found++;
        }
    }
    ct_print(2, "%s\n", line);
}

void report_crash(struct thread *t, int sig, const struct k_siginfo *info, const struct k_ucontext *uc)
{
    addr_t pc = arch_context_pc(uc), sp = arch_context_sp(uc);
    bool is_tool = is_in_tool(t, sp);
    ct_print(2, "cotter: the %s failed: signal %d (code %d, address 0x%lx) at 0x%lx%s\n", is_tool ? "tool" : "engine", sig,
             info->code, info->addr, pc, cache_holds(pc) ? " in the code cache" : "");
    print_callers(pc, sp);
    print_state();
    for (;;)
        sys1(__NR_exit_group, EXIT_COTTER_FAILED);
}
