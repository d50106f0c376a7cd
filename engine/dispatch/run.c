/* run.c: the dispatcher: an exit comes in, the code to run next goes out.
 *
 * Entered from entry.S on an empty engine stack, with the application's registers stored and its vector registers live.
 * Signals are delivered here, and only here. */
#include "base/panic.h"
#include "engine/client.h"
#include "engine/cache/cache.h"
#include "engine/cache/events.h"
#include "engine/dispatch/dispatch.h"
#include "engine/emulate/detach.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/stop.h"
#include "engine/emulate/syscall.h"
#include "engine/emulate/tracer.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/jit/context.h"
#include "engine/jit/jit.h"
#include "engine/jit/lessons.h"
#include "engine/jit/replace.h"
#include "engine/stats.h"

static void raise_fetch_fault(struct thread *t, const struct fetch_fault *f)
{
    struct arch_fault fault;
    arch_fetch_fault(&fault, f->address, f->is_present, f->code == FETCH_PROTECTION);
    arch_mark_fault(&t->arch.regs);
    sig_raise(t, f->sig, f->code, f->address, &fault);
}

/* A tracer sees signals that come from the kernel only, and looks at the registers then. Nothing is at the pc that could be
 * executed: so the thread goes there, and handler.c takes the fault for what it is. */
static u8 *fault_in_place(struct thread *t, const struct fetch_fault *f)
{
    addr_t pc = arch_pc(&t->arch.regs);
    if (f->code == FETCH_PROTECTION || mem_is_private(pc, pc + 1) || !tracer_is_there())
        return NULL;
    t->faults_in_place = true;
    return (u8 *)pc;
}

/* A branch to an address that cannot be one faults itself; to any other bad address, the first fetch there does. */
static void raise_branch_fault(struct thread *t)
{
    struct fetch_fault f = { 0, K_SIGSEGV, FETCH_PROTECTION, false };
    if (arch_undo_branch(&t->arch))
        raise_fetch_fault(t, &f);
}

/* ---- single steps for the application ---- */
static void begin_step(struct thread *t)
{
    t->is_app_step = t->run_once = true;
    arch_step_begin(&t->arch);
}

static void raise_trap(struct thread *t)
{
    enum { TRAP_TRACE = 2 };
    struct arch_fault f;
    arch_step_fault(&f);
    sig_raise(t, K_SIGTRAP, TRAP_TRACE, arch_pc(&t->arch.regs), &f);
}

/* The thread comes back to the dispatcher. True: the instruction was performed, in the cache. */
static bool end_step(struct thread *t, bool is_done)
{
    if (!t->is_app_step)
        return false;
    t->is_app_step = false;
    if (arch_step_end(&t->arch, is_done))
        raise_trap(t);
    return true;
}

/* It was interrupted, or it faulted. */
static void end_step_anywhere(struct thread *t)
{
    bool is_fault = t->pend.sig && t->pend.is_sync;
    end_step(t, !is_fault && arch_step_has_moved(&t->arch));
}

static void expect_odd_flags(const struct thread *t)
{
    cache_lock_take();
    arch_expect_odd_flags(t);
    cache_flush_all();
    cache_lock_drop();
}

/* A new trace is shown to the tool, which needs the client lock; that one ranks first. Cache lock held on return. */
static bool has_client_lock;

static void locks_take(addr_t pc, u32 version)
{
    cache_lock_take();
    has_client_lock = false;
    if (!hooks.instrument || (!thr_self.run_once && cache_find_version(pc, version)))
        return;
    cache_lock_drop();
    client_lock();
    cache_lock_take();
    has_client_lock = true;
}

static void locks_drop(void)
{
    bool both = has_client_lock;
    cache_lock_drop();
    if (both)
        client_unlock();
}

/* By a branch that finds its target itself, if it can. */
static bool looks_up(enum entry_kind why) { return why != ENTRY_JUMP && why != ENTRY_CALL; }

/* Code for the stored pc. `x`: the exit that led here, to be linked; why: how it was reached.
 * NULL: executing there raises a signal, which is pending now; with a tracer, the kernel raises it. */
static u8 *code_for(struct thread *t, struct exit *x, enum entry_kind why)
{
    struct fetch_fault fault;
    addr_t pc = arch_pc(&t->arch.regs);
    u32 version = t->next_version;
    if (UNLIKELY(hooks.instrument && arch_comes_with_odd_flags(t)))
        expect_odd_flags(t);
    bool is_special = t->run_once || version == VERSION_ORIGINAL;    /* nothing else is to find its way there */
    locks_take(pc, version);
    cache_reclaim();
    if (UNLIKELY(arch_adapts(!stats.smc_faults)))       /* generated code is never done with */
        cache_flush_all();
    u64 n_made = stats.traces;
    const struct trace *from = x && x->kind == EXIT_JUMP ? exit_trace(x) : NULL;
    struct trace *to = t->run_once ? jit_once(pc, t->run_as_plain, &fault)
                                   : jit_get(pc, version, tool_version(version) ? ENTRY_JUMP : why, from, &fault);
    if (to && !is_special && !version && (x || looks_up(why) || stats.traces != n_made))
        lessons_note(to, why, x);
    if (to && x && !is_special)
        cache_link(x, to);
    if (to && looks_up(why) && !is_special && !tool_version(version) && !to->is_checked)
        arch_landing_add(&t->arch, to, why);
    t->run_once = t->run_as_plain = false;
    t->next_version = 0;
    __atomic_store_n(&t->epoch, cache_epoch(), __ATOMIC_RELEASE);
    u8 *code = to ? arch_entry(to) : NULL;
    locks_drop();
    if (UNLIKELY(cache_has_news()))
        cache_tell();
    t->last[t->n_last].pc = pc;
    t->last[t->n_last].code = code;
    t->n_last = (t->n_last + 1) % ARRAY_LEN(t->last);
    if (!to && !(code = fault_in_place(t, &fault)))
        raise_fetch_fault(t, &fault);
    return code;
}

static u8 *go_on(struct thread *t, struct exit *x, enum entry_kind why)
{
    for (;;) {
        while (t->arch.pending) {
            sig_deliver(t);
            t->next_version = 0;
            x = NULL;                             /* the pc is another one now */
            why = ENTRY_JUMP;
        }
        if (detach_is_due() && !t->nested)
            detach_park(t);
        if (UNLIKELY(arch_pc(&t->arch.regs) == ARCH_NESTED_RETURN && t->nested))
            arch_nested_end(t);
        if (UNLIKELY(stop_holds(t))) {
            stop_point(t);
            x = NULL;                             /* another thread may have moved this one */
            why = ENTRY_JUMP;
            continue;
        }
        if (UNLIKELY(arch_is_stepping(&t->arch.regs)))
            begin_step(t);
        u8 *code = arch_special_pc(t) ? NULL : code_for(t, x, why);
        if (!code)
            end_step(t, false);
        if (code) {
            hook_cache_crossed(true, (addr_t)code);
            stats_phase(PHASE_CACHE);
            return code;
        }
    }
}

/* False: the registers were replaced as a whole. */
static bool perform_syscall(struct thread *t, struct exit *x)
{
    struct syscall_args a;
    long result;
    hook_syscall_entry(t, SYSCALL_PLAIN);
    arch_sys_get(&t->arch, &a);
    t->insn_len = x->insn_len;
    addr_t next = exit_target(x) + x->insn_len;
    if (!syscall_perform(t, &a, &result))
        return false;
    arch_sys_result(&t->arch, result, next);
    hook_syscall_exit(t, SYSCALL_PLAIN);
    return true;
}

static void emulate(struct thread *t, addr_t pc)
{
    u8 bytes[16] = { 0 };
    struct insn in;
    struct emulate_out out;
    long result;
    u32 avail = arch_info.max_insn_len;
    if (hooks.fetch)
        avail = (u32)hook_fetch(bytes, pc, avail);
    else
        while (avail && !mem_copy_safely(bytes, (void *)pc, avail))
            avail--;
    if (arch_decode(bytes, avail, pc, &in) != DECODE_OK || in.kind != INSN_EMULATE)
        return;                                   /* changed behind our back: look at it anew */
    stats.emulated++;
    switch (arch_emulate(t, &in, &out)) {
    case EMULATE_DONE: break;
    case EMULATE_PLAIN: t->run_once = t->run_as_plain = true; break;
    case EMULATE_SIGNAL: {
        struct arch_fault fault;
        arch_emulate_fault(&fault, &out);
        arch_mark_fault(&t->arch.regs);
        sig_raise(t, out.sig, out.code, out.address, &fault);
        break;
    }
    case EMULATE_FAULT:
        arch_mark_fault(&t->arch.regs);
        sig_raise(t, (int)t->copy_fault.sig, t->copy_fault.info.code, t->copy_fault.info.addr, &t->copy_fault.fault);
        break;
    case EMULATE_SYSCALL:
        t->insn_len = in.len;
        hook_syscall_entry(t, SYSCALL_OTHER);
        arch_emulate(t, &in, &out);               /* anew: the tool may have changed the arguments */
        if (!syscall_perform(t, &out.sys, &result))
            break;
        arch_sys_result(&t->arch, result, insn_next(&in));
        hook_syscall_exit(t, SYSCALL_OTHER);
        break;
    }
}

/* ---- calls behind an instruction that is performed here ---- */
struct calls_after { void *kept; addr_t next; };

/* The trace that they belong to must stay while the kernel is at work. */
static struct calls_after calls_after(struct thread *t, const struct exit *x)
{
    const struct annexed_exit *a = exit_annex(x);
    struct calls_after c = { a ? ref_ptr(a->calls) : NULL, exit_target(x) + x->insn_len };
    t->stays_in_cache = c.kept != NULL;
    return c;
}

static void run_calls_after(struct thread *t, const struct calls_after *c)
{
    t->stays_in_cache = false;
    if (c->kept && arch_pc(&t->arch.regs) == c->next)
        arch_run_calls(t, c->kept);
}

static enum entry_kind entry_kind(u32 exit_id)
{
    return exit_id == ARCH_EXIT_RETURN ? ENTRY_RETURN : exit_id == ARCH_EXIT_GUARDED ? ENTRY_GUARDED : ENTRY_INDIRECT;
}

/* By an indirect branch whose target no table has. */
static u8 *leave_by_branch(struct thread *t)
{
    stats.indirect_misses++;
    if (opt->stats != STATS_OFF)
        stats.misses[arch_branch_kind(&t->arch)]++;
    hook_cache_crossed(false, 0);
    arch_set_pc(&t->arch.regs, arch_indirect_target(&t->arch));
    bool is_bad = UNLIKELY(!arch_is_canonical(arch_pc(&t->arch.regs)));
    end_step(t, !is_bad);
    if (is_bad)
        raise_branch_fault(t);
    return go_on(t, NULL, entry_kind(t->arch.exit_id));
}

static u8 *leave_by_syscall(struct thread *t, struct exit *x)
{
    struct calls_after after = calls_after(t, x);
    struct interruption left = { exit_trace(x)->pc, exit_target(x), true };
    end_step(t, false);                           /* no trap behind it: the kernel's way back is none of the CPU's steps */
    if (!perform_syscall(t, x)) {
        if (arch_pc(&t->arch.regs) == left.pc)
            t->left = left;                       /* a signal came first: the call is to be made anew */
        return disp_resume(t);
    }
    run_calls_after(t, &after);
    return go_on(t, NULL, ENTRY_JUMP);
}

static u8 *leave_to_emulate(struct thread *t, struct exit *x)
{
    struct calls_after after = calls_after(t, x);
    bool is_step = end_step(t, false);
    emulate(t, exit_target(x));
    if (is_step && !t->run_once && !(t->pend.sig && t->pend.is_sync))
        raise_trap(t);
    run_calls_after(t, &after);
    return go_on(t, NULL, ENTRY_JUMP);
}

u8 *disp_leave(struct thread *t)
{
    stats_phase(PHASE_VM);
    stats.dispatches++;
    if (UNLIKELY(t->has_set_trap))
        arch_step_wanted(&t->arch);
    t->has_set_trap = false;
    if (t->arch.exit_id <= ARCH_EXIT_RETURN)
        return leave_by_branch(t);
    struct exit *x = ref_ptr(t->arch.exit_id);
    arch_set_pc(&t->arch.regs, exit_target(x));
    t->next_version = exit_version(x);
    hook_cache_crossed(false, (addr_t)cache_ptr(exit_stub(x)));
    switch ((enum exit_kind)x->kind) {
    case EXIT_JUMP: case EXIT_CALL: case EXIT_GUARD:
        stats.direct_misses++;
        end_step(t, true);
        return go_on(t, x, x->kind == EXIT_CALL ? ENTRY_CALL : ENTRY_JUMP);
    case EXIT_SYSCALL: return leave_by_syscall(t, x);
    case EXIT_EMULATE: return leave_to_emulate(t, x);
    case EXIT_REPLACE: replace_perform(t, exit_target(x)); break;
    }
    return go_on(t, NULL, ENTRY_JUMP);
}

u8 *disp_resume(struct thread *t)
{
    stats_phase(PHASE_VM);
    if (UNLIKELY(t->is_app_step))
        end_step_anywhere(t);
    if (t->left.trace)
        hook_interrupted(t);
    return go_on(t, NULL, ENTRY_JUMP);
}

void disp_execute_at(struct thread *t, struct arch_context *c)
{
    arch_context_put(t, c);
    arch_enter_first(t);
}
