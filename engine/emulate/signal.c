/* signal.c: actions, masks, delivery.
 *
 *  (1) The kernel's mask of a thread is the application's mask without the signals that the engine owns; from the
 *      arrival of a signal until its delivery it is "all blocked". So there is one pending signal at the most, and the
 *      kernel keeps the order of the others.
 *  (2) A signal is delivered by the dispatcher, never by the handler: the application's registers are in memory then,
 *      its vector registers are live, and no lock is held. */
#include "engine/report.h"
#include "engine/emulate/signal.h"
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/handler.h"
#include "engine/emulate/held.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/process.h"
#include "engine/emulate/smc.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/log.h"
#include "engine/stats.h"

#define UNBLOCKABLE (bit(K_SIGKILL) | bit(K_SIGSTOP))

/* Signals whose default action does not end the process. */
static bool default_is_harmless(u32 sig)
{
    return sig == K_SIGCHLD || sig == K_SIGCONT || sig == K_SIGSTOP || sig == K_SIGTSTP || sig == K_SIGTTIN ||
           sig == K_SIGTTOU || sig == K_SIGURG || sig == K_SIGWINCH;
}

static u64 wanted;                          /* by the tool, whatever the application does with them */

static void kernel_mask(const struct thread *t, u64 mask)
{
    mask = sig_kernel_mask(t, mask);
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &mask, 0, 8);
}

void sig_set_mask(struct thread *t, u64 mask)
{
    t->app_mask = mask & ~UNBLOCKABLE;
    if (!t->arch.pending)
        kernel_mask(t, t->app_mask);
    held_release(t, t->app_mask);
}

/* ---- actions ---- */
static void kernel_action(u32 sig, const struct k_sigaction *app)
{
    struct k_sigaction k = { .flags = K_SA_SIGINFO | K_SA_ONSTACK | K_SA_RESTORER, .mask = ~0ull };
    k.restorer = arch_sigreturn_stub();
    k.handler = (u64)handler_entry;
    bool is_caught = app->handler != K_SIG_DFL && app->handler != K_SIG_IGN;
    if (is_caught || is_owned(sig) || wanted & bit(sig))
        k.flags |= app->flags & (K_SA_RESTART | K_SA_NOCLDSTOP | K_SA_NOCLDWAIT);
    else if (app->handler == K_SIG_DFL && proc_wants_last_word() && !default_is_harmless(sig))
        ;                                           /* caught, so that reports are written before the process dies */
    else
        k = (struct k_sigaction){ .handler = app->handler, .flags = (app->flags & ~(u64)K_SA_ONSTACK) | K_SA_RESTORER,
                                  .restorer = arch_sigreturn_stub(), .mask = app->mask };
    sys4(__NR_rt_sigaction, sig, &k, 0, 8);
}

void sig_own_again(struct thread *t, u32 sig)
{
    if (t->proc)
        kernel_action(sig, &t->proc->action[sig - 1]);
}

static void expect_handled_faults(void)
{
    cache_lock_take();
    if (arch_name_branches())
        cache_flush_all();
    cache_lock_drop();
}

long sig_sys_action(struct thread *t, const struct syscall_args *a)
{
    u64 sig = (u64)(u32)a->a[0];
    if (a->a[3] != 8 || sig < 1 || sig > K_NSIG)
        return -E_INVAL;
    struct k_sigaction next, *slot = &t->proc->action[sig - 1];
    if (a->a[1] && !mem_copy_safely(&next, (void *)a->a[1], sizeof next))
        return -E_FAULT;
    if (a->a[1] && (sig == K_SIGKILL || sig == K_SIGSTOP))
        return -E_INVAL;
    lock_take(&t->proc->lock);
    struct k_sigaction old = *slot;
    if (a->a[1]) {
        next.mask &= ~UNBLOCKABLE;
        next.flags &= ~(u64)K_SA_UNSUPPORTED;
        *slot = next;
        kernel_action((u32)sig, slot);
        if (next.handler == K_SIG_IGN)
            held_discard(t, (u32)sig);
    }
    lock_drop(&t->proc->lock);
    if (a->a[1] && sig == K_SIGSEGV && next.handler > K_SIG_IGN)
        expect_handled_faults();
    if (a->a[2] && !smc_write((void *)a->a[2], &old, sizeof old))
        return -E_FAULT;
    return 0;
}

/* What the kernel has for each signal is what the application inherited. */
void sig_process_init(struct process *p)
{
    for (u32 sig = 1; sig <= K_NSIG; sig++) {
        struct k_sigaction *s = &p->action[sig - 1];
        if (sig == K_SIGKILL || sig == K_SIGSTOP)
            continue;
        sys4(__NR_rt_sigaction, sig, 0, s, 8);
        if (is_owned(sig) || s->handler > K_SIG_IGN || (s->handler == K_SIG_DFL && proc_wants_last_word() && !default_is_harmless(sig)))
            kernel_action(sig, s);
    }
}

void sig_give_back(struct process *p)
{
    for (u32 sig = 1; sig <= K_NSIG; sig++) {
        struct k_sigaction ignore = { .handler = K_SIG_IGN, .flags = K_SA_RESTORER, .restorer = arch_sigreturn_stub() };
        if (is_owned(sig) && p->action[sig - 1].handler == K_SIG_IGN)
            sys4(__NR_rt_sigaction, sig, &ignore, 0, 8);
    }
}

void sig_process_restore(struct process *p)
{
    for (u32 sig = 1; sig <= K_NSIG; sig++)
        if (is_owned(sig))
            kernel_action(sig, &p->action[sig - 1]);
}

void sig_clear_actions(struct process *p)
{
    for (u32 sig = 1; sig <= K_NSIG; sig++) {
        struct k_sigaction *s = &p->action[sig - 1];
        *s = (struct k_sigaction){ .handler = s->handler == K_SIG_IGN ? K_SIG_IGN : K_SIG_DFL };
        if (sig != K_SIGKILL && sig != K_SIGSTOP)
            kernel_action(sig, s);
    }
}

void sig_process_release(struct process *p)
{
    for (u32 sig = 1; sig <= K_NSIG; sig++)
        if (sig != K_SIGKILL && sig != K_SIGSTOP)
            sys4(__NR_rt_sigaction, sig, &p->action[sig - 1], 0, 8);
}

void sig_want(struct thread *t, u32 sig, bool on)
{
    lock_take(&t->proc->lock);
    wanted = on ? wanted | bit(sig) : wanted & ~bit(sig);
    kernel_action(sig, &t->proc->action[sig - 1]);
    lock_drop(&t->proc->lock);
}

void sig_unblock(struct thread *t, u32 sig, bool on)
{
    t->unblocked = on ? t->unblocked | bit(sig) : t->unblocked & ~bit(sig);
    sig_set_mask(t, t->app_mask);
}

/* ---- masks ---- */
long sig_sys_mask(struct thread *t, const struct syscall_args *a)
{
    u64 old = t->app_mask, set = 0;
    if (a->a[3] != 8)
        return -E_INVAL;
    if (a->a[1] && !mem_copy_safely(&set, (void *)a->a[1], 8))
        return -E_FAULT;
    if (a->a[1]) {
        u64 next;
        switch (a->a[0]) {
        case K_SIG_BLOCK: next = old | set; break;
        case K_SIG_UNBLOCK: next = old & ~set; break;
        case K_SIG_SETMASK: next = set; break;
        default: return -E_INVAL;
        }
        sig_set_mask(t, next);
    }
    if (a->a[2] && !smc_write((void *)a->a[2], &old, 8))
        return -E_FAULT;
    return 0;
}

static bool on_altstack(const struct thread *t)
{
    addr_t sp = arch_sp(&t->arch.regs);
    return t->altstack.size && !(t->altstack.flags & (s32)K_SS_AUTODISARM) && sp > t->altstack.sp &&
           sp - t->altstack.sp <= t->altstack.size;
}

long sig_sys_altstack(struct thread *t, const struct syscall_args *a)
{
    enum { MIN_SIZE = 2048 };
    struct k_stack next, old = t->altstack;
    bool on = on_altstack(t);
    old.flags = (old.flags & (s32)K_SS_AUTODISARM) | (!old.size ? K_SS_DISABLE : on ? K_SS_ONSTACK : 0);
    if (a->a[0]) {
        if (!mem_copy_safely(&next, (void *)a->a[0], sizeof next))
            return -E_FAULT;
        u32 mode = (u32)next.flags & ~K_SS_AUTODISARM;
        if (on)
            return -E_PERM;
        if (mode != 0 && mode != K_SS_ONSTACK && mode != K_SS_DISABLE)
            return -E_INVAL;
        if (mode == K_SS_DISABLE)
            next.sp = next.size = 0;
        else if (next.size < MIN_SIZE)
            return -E_NOMEM;
        t->altstack = next;
    }
    if (a->a[1] && !smc_write((void *)a->a[1], &old, sizeof old))
        return -E_FAULT;
    return 0;
}

/* ---- raising and delivering ---- */
void sig_raise(struct thread *t, int sig, int code, addr_t address, const struct arch_fault *fault)
{
    if (t->pend.sig && !t->pend.is_sync)
        t->async = t->pend;
    t->pend = (struct pending){ .sig = (u32)sig, .is_sync = true };
    t->pend.info = (struct k_siginfo){ .signo = sig, .code = code, .addr = address };
    if (fault)
        t->pend.fault = *fault;
    t->arch.pending = 1;
}

void sig_die(int sig)
{
    struct k_sigaction dfl = { .flags = K_SA_RESTORER, .restorer = arch_sigreturn_stub() };
    u64 only = ~bit((u32)sig);
    proc_last_word(128 + sig);
    sys4(__NR_rt_sigaction, sig, &dfl, 0, 8);
    sys3(__NR_tgkill, sys_getpid(), sys_gettid(), sig);
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &only, 0, 8);
    arch_fault_as(sig);                             /* still here: process 1, which only its own faults can kill */
    for (;;)
        sys1(__NR_exit_group, 128 + sig);
}

/* The mask in force while the handler runs, and the one its return restores. */
static void handler_masks(struct thread *t, const struct k_sigaction *act, u32 sig, u64 *during, u64 *after)
{
    *after = t->app_mask;
    u64 base = t->has_saved_mask ? t->saved_mask : t->app_mask;
    t->has_saved_mask = false;
    *during = base | act->mask | (act->flags & K_SA_NODEFER ? 0 : bit(sig));
}

static void after_delivery(struct thread *t)
{
    held_share(t);
    t->arch.pending = 0;
    if (t->async.sig) {
        t->pend = t->async;
        t->async.sig = 0;
        t->arch.pending = 1;
        return;
    }
    kernel_mask(t, t->app_mask);
    sig_set_mask(t, t->app_mask);                   /* a held signal may be free to go now */
}

/* A synchronous signal cannot be blocked or ignored: the kernel then ends the process. Process 1 of a namespace is not ended by
 * signals that were sent, unless it has a handler for them. */
static bool is_deadly(const struct thread *t, const struct pending *p, const struct k_sigaction *act)
{
    if (act->handler == K_SIG_DFL)
        return !default_is_harmless(p->sig) && (p->is_sync || sys_getpid() != 1);
    return p->is_sync && (act->handler == K_SIG_IGN || t->app_mask & bit(p->sig));
}

bool sig_is_default_deadly(const struct thread *t, u32 sig)
{
    return t->proc->action[sig - 1].handler == K_SIG_DFL && !default_is_harmless(sig);
}

static struct k_sigaction take_action(struct thread *t, u32 sig)
{
    lock_take(&t->proc->lock);
    struct k_sigaction *slot = &t->proc->action[sig - 1], act = *slot;
    if (act.flags & (u64)(u32)K_SA_RESETHAND && act.handler > K_SIG_IGN) {
        slot->handler = K_SIG_DFL;
        kernel_action(sig, slot);
    }
    lock_drop(&t->proc->lock);
    return act;
}

/* Is it none of the application's, or not now? */
static bool is_withheld(struct thread *t, struct pending *p)
{
    if (p->is_sync && p->sig == K_SIGSEGV && smc_write_fault(p->info.addr)) {
        t->run_once = true;                         /* the write itself; then everything is looked at anew */
        return true;
    }
    if (!hook_signal(t, p, t->proc->action[p->sig - 1].handler > K_SIG_IGN))
        return true;
    if (!p->is_sync && t->unblocked & t->app_mask & bit(p->sig) && !t->has_saved_mask) {   /* for the tool's eyes only */
        held_add(t, p->sig, &p->info);
        return true;
    }
    return false;
}

/* False: there is no stack for the frame, and the signal for that is raised. */
static bool enter_handler(struct thread *t, struct pending *p, const struct k_sigaction *act)
{
    u64 during, after;
    handler_masks(t, act, p->sig, &during, &after);
    stats.signals++;
    if (arch_frame_push(t, p->sig, act, &p->info, &p->fault, after)) {
        t->app_mask = during & ~UNBLOCKABLE;
        return true;
    }
    if (p->sig == K_SIGSEGV)
        sig_die(K_SIGSEGV);
    sig_raise(t, K_SIGSEGV, 0x80, 0, NULL);         /* SI_KERNEL */
    return false;
}

void sig_deliver(struct thread *t)
{
    struct pending p = t->pend;
    t->pend.sig = 0;
    if (!p.sig || is_withheld(t, &p)) {
        after_delivery(t);
        return;
    }
    if (p.sig == K_SIGSYS && mem_is_private(p.info.addr, p.info.addr + 1))
        p.info.addr = arch_pc(&t->arch.regs);       /* a seccomp filter says who made the call */
    struct k_sigaction act = take_action(t, p.sig);
    log_event("signal %u code %d at 0x%lx, %s 0x%lx", p.sig, p.info.code, arch_pc(&t->arch.regs),
              p.is_sync ? "address" : "handler", p.is_sync ? p.info.addr : act.handler);
    struct arch_context from;
    if (hooks.context_change) {
        arch_context_get(&from, t, true);
        arch_context_copy(&from, &from);
    }
    if (is_deadly(t, &p, &act)) {
        if (hooks.context_change)
            hook_context_change(t, CHANGE_FATAL, &from, (int)p.sig);
        sig_die((int)p.sig);
    }
    if (act.handler > K_SIG_IGN) {
        if (!enter_handler(t, &p, &act))
            return;
        if (hooks.context_change)
            hook_context_change(t, CHANGE_SIGNAL, &from, (int)p.sig);
    }
    after_delivery(t);
}

bool sig_sys_return(struct thread *t)
{
    u64 mask;
    struct k_stack alt;
    struct arch_context from;
    if (hooks.context_change) {
        arch_context_get(&from, t, true);
        arch_context_copy(&from, &from);
    }
    enum frame_state state = arch_frame_pop(t, &mask, &alt);
    if (state == FRAME_BAD_VECTORS)
        sig_set_mask(t, mask);
    if (state != FRAME_GOOD) {
        sig_raise(t, K_SIGSEGV, 0x80, 0, NULL);
        return false;
    }
    if (!on_altstack(t))
        t->altstack = (struct k_stack){ alt.sp, alt.flags & (s32)K_SS_AUTODISARM, 0, alt.flags & K_SS_DISABLE ? 0 : alt.size };
    sig_set_mask(t, mask);
    if (hooks.context_change)
        hook_context_change(t, CHANGE_RETURN, &from, 0);
    return true;
}

struct k_stack sig_new_stack(struct thread *t)
{
    t->sigstack_size = arch_sigstack_size();
    t->sigstack = heap_pages(t->sigstack_size);
    return (struct k_stack){ (u64)t->sigstack, 0, 0, t->sigstack_size };
}

void sig_init_thread(struct thread *t)
{
    struct k_stack ss = sig_new_stack(t);
    sys2(__NR_sigaltstack, &ss, 0);
}

u64 sig_kernel_mask(const struct thread *t, u64 mask) { return mask & ~(OWNED | t->unblocked); }

void sig_init(struct thread *t)
{
    early_end();
    sys4(__NR_rt_sigprocmask, K_SIG_BLOCK, 0, &t->app_mask, 8);
    sig_init_thread(t);
    sig_process_init(t->proc);
    kernel_mask(t, t->app_mask);
}
