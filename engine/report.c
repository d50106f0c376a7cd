/* report.c: see report.h. */
#include "engine/report.h"
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/toolsym.h"
#include "loader/rt.h"

/* Where the thread was in the cache, the last time. */
static void print_way_out(struct thread *t)
{
    struct exit *x = ref_ptr(t->arch.exit_id), copy;
    if (t->arch.exit_id <= ARCH_EXIT_RETURN)
        ct_print(2, "cotter: left the cache by an indirect branch to 0x%lx\n", arch_indirect_target(&t->arch));
    else if (mem_copy_safely(&copy, x, sizeof copy))
        ct_print(2, "cotter: left the cache at 0x%lx, by an exit to 0x%lx\n", (addr_t)cache_ptr(exit_stub(x)), exit_target(x));
}

static void print_state(void)
{
    struct thread *t = &thr_self;
    ct_print(2, "cotter: thread %d, application pc 0x%lx, sp 0x%lx, %s\n", t->tid, arch_pc(&t->arch.regs),
             arch_sp(&t->arch.regs), arch_info.name);
    print_way_out(t);
    for (u32 i = 1; i <= ARRAY_LEN(t->last); i++) {
        u32 k = (t->n_last - i) % ARRAY_LEN(t->last);
        if (t->last[k].pc)
            ct_print(2, "cotter:   dispatched %u ago: 0x%lx, in the cache at 0x%lx\n", i - 1, t->last[k].pc, (addr_t)t->last[k].code);
    }
    ct_print(2, "cotter: planted image 0x%lx-0x%lx (%s)\n", engine_handoff->image_lo, engine_handoff->image_hi,
             engine_handoff->tool_path);
}

void report_init(void) { panic_set_reporter(print_state); }

static bool is_in_image(addr_t a) { return a >= rt_handoff()->image_lo && a < rt_handoff()->image_hi; }
static addr_t offset_of(addr_t a) { return a - rt_handoff()->image_lo; }
static bool name_of(addr_t a, struct toolsym *s) { return toolsym_find(rt_handoff()->tool_path, offset_of(a), s); }

/* In main(), on a thread of its own, in a callback, or called by emitted code. */
static bool is_in_tool(struct thread *t, addr_t sp)
{
    return !engine_handoff || !t->proc || arch_is_in_hosted_code(&t->arch, sp);
}

static void print_frame(u32 n, addr_t a)
{
    struct toolsym s;
    char plain[256];
    if (!name_of(a, &s)) {
        ct_print(2, "cotter:   #%u 0x%lx\n", n, offset_of(a));
        return;
    }
    bool is_plain = hooks.demangle && hooks.demangle(s.name, plain, sizeof plain);
    ct_print(2, "cotter:   #%u 0x%lx %s\n", n, offset_of(a), is_plain ? plain : s.name);
}

/* A word of the stack is a return address if a call stands in front of it; a call whose target is known must lead to the
 * function of the frame before, or to one that jumps to it at its end. What is left may still be a word that was left over by an
 * earlier call. */
static bool is_caller(addr_t w, addr_t callee)
{
    struct toolsym s, t;
    addr_t to;
    u8 call[8];
    if (!is_in_image(w) || !mem_copy_safely(call, (u8 *)w - sizeof call, sizeof call) || !arch_is_behind_call((const u8 *)w))
        return false;
    if (!arch_call_target((const u8 *)w, &to) || !is_in_image(callee) || !name_of(callee, &s) || !name_of(to, &t))
        return true;
    addr_t base = rt_handoff()->image_lo;
    return s.lo == t.lo || arch_jumps_to((const u8 *)base + t.lo, (const u8 *)base + t.hi, base + s.lo);
}

/* The frames of the engine that called the tool say nothing about the tool. */
static bool is_engines(addr_t a)
{
    struct toolsym s;
    return name_of(a, &s) && s.lo == offset_of((addr_t)arch_call_hosted);
}

static void print_frames(addr_t pc, addr_t sp)
{
    enum { MOST = 16 };
    char line[512];
    size_t n = ct_format(line, sizeof line, "cotter: with lines: addr2line -Cfipe %s", rt_handoff()->tool_path);
    u32 found = 0;
    if (is_in_image(pc)) {
        n += ct_format(line + n, sizeof line - n, " 0x%lx", offset_of(pc));
        print_frame(found++, pc);
    }
    for (addr_t end = arch_frames_end(&thr_self.arch, sp); sp < end && found < MOST; sp += 8) {
        u64 w;
        if (!mem_copy_safely(&w, (void *)sp, 8))
            break;
        if (!is_caller(w, pc))
            continue;
        pc = w - 1;
        if (is_engines(pc))
            break;
        print_frame(found++, pc);
        if (n + 24 < sizeof line)
            n += ct_format(line + n, sizeof line - n, " 0x%lx", offset_of(pc));
    }
    ct_print(2, "%s\n", line);
}

static NORETURN void end_process(void)
{
    for (;;)
        sys1(__NR_exit_group, EXIT_COTTER_FAILED);
}

/* A signal handler runs with them blocked. */
static void allow_faults(void)
{
    u64 faults = 1ull << (K_SIGSEGV - 1) | 1ull << (K_SIGBUS - 1);
    sys4(__NR_rt_sigprocmask, K_SIG_UNBLOCK, &faults, 0, 8);
}

/* Reading the stack may fault, which is caught; a second crash while the first is reported ends the process. */
static void begin(void)
{
    static u32 is_reporting;
    if (__atomic_exchange_n(&is_reporting, 1, __ATOMIC_RELAXED))
        end_process();
    allow_faults();
}

/* Behind the last callback the results are there: what fails then does not fail the run. */
static void leave_out(const char *why, int sig, addr_t pc)
{
    if (!rt_exit_is_flushing())
        return;
    ct_print(2, "cotter: a destructor or exit handler of the tool is left out, as it failed: ");
    if (why)
        ct_print(2, "%s\n", why);
    else
        ct_print(2, "signal %d at 0x%lx\n", sig, pc);
    allow_faults();
    rt_exit_go_on();
}

void report_crash(struct thread *t, int sig, const struct k_siginfo *info, const struct k_ucontext *uc)
{
    addr_t pc = arch_context_pc(uc), sp = arch_context_sp(uc);
    bool in_cache = engine_handoff && cache_holds(pc);              /* a routine of the tool that stands in a trace */
    bool is_tool = is_in_tool(t, sp) || in_cache;
    if (is_tool)
        leave_out(NULL, sig, pc);
    begin();
    ct_print(2, "cotter: the %s failed: signal %d (code %d, address 0x%lx) at 0x%lx%s\n", is_tool ? "tool" : "engine", sig,
             info->code, info->addr, pc, in_cache ? " in an analysis routine that was inlined" : "");
    if (t->stack && info->addr - (addr_t)t->stack < PAGE_SIZE)
        ct_print(2, "cotter: its stack of %lu KB is full: keep large arrays elsewhere\n", HANDOFF_STACK_SIZE / 1024);
    if (in_cache)
        ct_print(2, "cotter: at the application's instruction 0x%lx; --no-inline shows the routine\n", arch_pc(&t->arch.regs));
    else
        print_frames(pc, sp);
    if (!is_tool)
        print_state();
    end_process();
}

void report_callers(const void *sp)
{
    if (rt_handoff())
        print_frames(0, (addr_t)sp);
}

void report_abort(const char *why, const void *sp)
{
    leave_out(why, 0, 0);
    begin();
    ct_print(2, "cotter: the tool failed: %s\n", why);
    report_callers(sp);
    end_process();
}
