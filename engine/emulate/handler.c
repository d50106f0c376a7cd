/* handler.c: what the kernel calls. It decides by the interrupted address:
 *
 *   in a trace, at the start of an application instruction   the registers are the application's: on to the dispatcher
 *   in a trace or its glue, in the middle of a sequence      single-step to the next such place (async), or undo (fault)
 *   entering the cache                                       nothing is lost yet: start the dispatcher afresh
 *   about to make a system call                              do not make it
 *   anywhere else in the engine                              the dispatcher will look at `pending` before it goes on
 *
 *  (1) It runs on its own stack with all signals blocked. It takes no lock: the code that it interrupts may hold it. */
#include "engine/emulate/handler.h"
#include "base/panic.h"
#include "base/print.h"
#include "engine/cache/cache.h"
#include "engine/emulate/held.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/stop.h"
#include "engine/hooks.h"
#include "engine/jit/promote.h"
#include "engine/report.h"

#define ALL_BUT_OWNED (~OWNED)

enum { TRAP_TRACE = 2 };

static bool within(addr_t pc, const u8 *lo, const u8 *hi) { return pc >= (addr_t)lo && pc < (addr_t)hi; }

static bool is_in_cache(addr_t pc) { return cache_holds(pc) || within(pc, arch_glue_lo, arch_glue_hi); }

/* Leave the interrupted code for the dispatcher, with the application's registers: in `uc`, but for those parked. */
static void to_dispatcher(struct thread *t, struct k_ucontext *uc, const struct place *at)
{
    arch_context_step(uc, false);                    /* before the registers are taken: the trap flag is ours, or a debugger's */
    t->is_stepping = false;
    arch_context_load(&t->arch.regs, uc);
    if (UNLIKELY(t->has_set_trap))
        arch_step_wanted(&t->arch);
    t->has_set_trap = false;
    arch_unspill(&t->arch.regs, &t->arch, at->restore, at->parked, at->at_start);
    arch_set_pc(&t->arch.regs, at->pc);
    arch_context_resume(uc);
}

/* The same from a trace. has_begun: the instruction there, and is not completed. */
static void leave_trace(struct thread *t, struct k_ucontext *uc, const struct place *at, bool has_begun)
{
    promote_settle(at->trace, at->entry, has_begun, arch_context_iterations(uc), arch_context_count(uc));
    t->left = (struct interruption){ at->trace->pc, at->pc, has_begun };
    to_dispatcher(t, uc, at);
}

/* A signal is pending and the thread is in the cache: bring it to the dispatcher, now or by steps. */
static void leave_cache(struct thread *t, struct k_ucontext *uc)
{
    addr_t pc = arch_context_pc(uc);
    struct place at;
    bool in_trace = cache_locate(pc, &at);
    if (in_trace && at.at_start) {
        leave_trace(t, uc, &at, false);
        return;
    }
    bool step = is_in_cache(pc);                     /* no longer: it is on its way to the dispatcher */
    t->is_stepping = step;
    arch_context_step(uc, step);
}

/* Something waits for the dispatcher. */
static void to_dispatcher_soon(struct thread *t, struct k_ucontext *uc)
{
    addr_t pc = arch_context_pc(uc);
    t->arch.pending = 1;
    if (is_in_cache(pc))
        leave_cache(t, uc);
    else if (within(pc, arch_restart_lo, arch_restart_hi))
        arch_context_resume(uc);
    else if (arch_in_syscall_window(pc))
        arch_abort_syscall(uc);
}

/* A thread that is called while it is in the kernel is to leave: its call was interrupted for that alone, and is made again. */
static void called(struct thread *t, struct k_ucontext *uc)
{
    if (arch_call_was_interrupted(uc))
        arch_abort_syscall(uc);
    to_dispatcher_soon(t, uc);
}

static void asynchronous(struct thread *t, int sig, const struct k_siginfo *info, struct k_ucontext *uc)
{
    if (OWNED & t->app_mask & bit((u32)sig)) {
        held_add(t, (u32)sig, info);
        if (t->is_sharing)
            to_dispatcher_soon(t, uc);
        return;
    }
    struct pending *p = t->pend.sig ? &t->async : &t->pend;
    *p = (struct pending){ .sig = (u32)sig, .info = *info };
    uc->mask = ALL_BUT_OWNED;
    to_dispatcher_soon(t, uc);
}

static void in_engine(struct thread *t, int sig, const struct k_siginfo *info, struct k_ucontext *uc)
{
    if (arch_in_safe_copy(arch_context_pc(uc))) {
        t->copy_fault = (struct pending){ .sig = (u32)sig, .is_sync = true, .info = *info };
        arch_context_fault(uc, &t->copy_fault.fault);
        arch_fail_safe_copy(uc);
        return;
    }
    if (hooks.tool_fault && hooks.tool_fault(t, sig, info, uc))
        return;
    report_crash(t, sig, info, uc);
}

/* Where no code is: the registers are the application's. */
static void fault_in_place(struct thread *t, int sig, const struct k_siginfo *info, struct k_ucontext *uc)
{
    struct arch_fault f;
    arch_context_fault(uc, &f);
    t->faults_in_place = false;
    uc->mask = ALL_BUT_OWNED;
    to_dispatcher(t, uc, &(struct place){ .pc = arch_context_pc(uc), .at_start = true });
    sig_raise(t, sig, info->code, info->addr, &f);
}

static void fault(struct thread *t, int sig, const struct k_siginfo *info, struct k_ucontext *uc)
{
    struct place at;
    addr_t pc = arch_context_pc(uc);
    if (t->faults_in_place) {
        fault_in_place(t, sig, info, uc);
        return;
    }
    if (!arch_is_in_hosted_code(&t->arch, arch_context_sp(uc)) && arch_mend_stray_pc(uc))
        return;
    if (!cache_locate(pc, &at)) {
        in_engine(t, sig, info, uc);
        return;
    }
    bool is_trap = arch_context_is_trap(uc);         /* of the instruction before: its successor has not begun */
    if (at.restore & MAP_CALLS && !is_trap) {        /* an analysis routine that stands in the trace */
        arch_set_pc(&t->arch.regs, at.pc);
        in_engine(t, sig, info, uc);
        return;
    }
    uc->mask = ALL_BUT_OWNED;
    leave_trace(t, uc, &at, !is_trap);
    struct arch_fault f;
    arch_context_fault(uc, &f);
    addr_t address = info->addr;
    if (cache_holds(address))
        address = at.pc;                             /* an instruction's own address: the application's */
    sig_raise(t, sig, info->code, address, &f);
}

/* The application itself has just set the trap flag: the dispatcher steps it, as soon as it has it. Or it is left from a
 * debugger: where that steps over a popf, and the engine has its own, the kernel does not take the flag back. */
static void trap_flag_is_set(struct thread *t, struct k_ucontext *uc)
{
    struct place at;
    addr_t pc = arch_context_pc(uc);
    t->has_set_trap |= cache_locate(pc - 1, &at) && arch_has_set_trap((const u8 *)pc);
    if (!t->has_set_trap)
        arch_context_step(uc, false);
    else if (cache_locate(pc, &at) && at.at_start)
        leave_trace(t, uc, &at, false);
}

static void handle(struct thread *t, int sig, struct k_siginfo *info, struct k_ucontext *uc)
{
    bool is_sync = info->code > 0 && is_owned((u32)sig);
    if (is_sync && sig == K_SIGTRAP && t->is_stepping)
        leave_cache(t, uc);
    else if (stop_is_call(sig, info))
        called(t, uc);
    else if (is_sync && sig == K_SIGTRAP && info->code == TRAP_TRACE)
        trap_flag_is_set(t, uc);
    else if (is_sync)
        fault(t, sig, info, uc);
    else
        asynchronous(t, sig, info, uc);
}

/* A debugger that steps through here, where SIGTRAP is blocked, makes the kernel forget what is to be done at SIGTRAP. */
void handler_entry(int sig, struct k_siginfo *info, struct k_ucontext *uc)
{
    arch_handler_begin();
    struct thread *t = &thr_self;
    bool was_stepped = arch_is_stepped_by_tracer();
    if (UNLIKELY(was_stepped))
        sig_own_again(t, K_SIGTRAP);
    handle(t, sig, info, uc);
    if (UNLIKELY(!was_stepped && arch_is_stepped_by_tracer()))
        sig_own_again(t, K_SIGTRAP);
}
