/* signal.c: signals of the application before it sees them; faults of the tool. */
#include "api/debugger.h"
#include "api/exception.h"
#include "engine/engine.h"

/* ---- context changes ---- */
PIN_CALLBACK PIN_AddContextChangeFunction(CONTEXT_CHANGE_CALLBACK f, VOID *v) { return callback_add(CB_CONTEXT_CHANGE, f, v); }

void context_changes(struct thread *t, int reason, struct arch_context *from, int info)
{
    static const CONTEXT_CHANGE_REASON reasons[] = {
        [CHANGE_FATAL] = CONTEXT_CHANGE_REASON_FATALSIGNAL, [CHANGE_SIGNAL] = CONTEXT_CHANGE_REASON_SIGNAL,
        [CHANGE_RETURN] = CONTEXT_CHANGE_REASON_SIGRETURN };
    CONTEXT to;
    client_lock();
    context_take(&to, t, false);
    FOR_EACH_CALLBACK(k, CB_CONTEXT_CHANGE)
        k->context_change(t->index, reasons[reason], (const CONTEXT *)from, reason == CHANGE_FATAL ? NULL : &to, info, k->val);
    if (reason != CHANGE_FATAL)
        context_give(&to, t);
    client_unlock();
}

VOID PIN_ReplayContextChange(THREADID tid, const CONTEXT *from, CONTEXT *to, CONTEXT_CHANGE_REASON reason, INT32 info)
{
    client_lock();
    FOR_EACH_CALLBACK(k, CB_CONTEXT_CHANGE)
        k->context_change(tid, reason, from, to, info, k->val);
    client_unlock();
    if (reason == CONTEXT_CHANGE_REASON_FATALSIGNAL) {          /* it leads nowhere: `to` is NULL */
        client_lock_release_all();
        sig_die(info);
    }
    PIN_ExecuteAt(to);
}

/* ---- interruptions ---- */
PIN_CALLBACK COTTER_AddInterruptionFunction(COTTER_INTERRUPTION_CALLBACK f, VOID *v) { return callback_add(CB_INTERRUPTION, f, v); }

void thread_interrupted(struct thread *t)
{
    FOR_EACH_CALLBACK(k, CB_INTERRUPTION)
        k->interruption(t->index, t->left.trace, t->left.pc, t->left.has_begun, k->val);
}

/* ---- interception ---- */
static struct { INTERCEPT_SIGNAL_CALLBACK fun; VOID *val; } interceptors[K_NSIG + 1];
static u64 unblocked_at_start;
static bool has_started;

static bool is_signal(INT32 sig) { return sig > 0 && sig <= K_NSIG && sig != K_SIGKILL && sig != K_SIGSTOP; }

BOOL PIN_InterceptSignal(INT32 sig, INTERCEPT_SIGNAL_CALLBACK fun, VOID *val)
{
    if (!is_signal(sig))
        return FALSE;
    client_lock();
    interceptors[sig].fun = fun;
    interceptors[sig].val = val;
    if (has_started)
        sig_want(&thr_self, (u32)sig, fun != NULL);
    client_unlock();
    return TRUE;
}

BOOL PIN_UnblockSignal(INT32 sig, BOOL enable)
{
    if (!is_signal(sig))
        return FALSE;
    if (has_started)
        sig_unblock(&thr_self, (u32)sig, enable);
    else if (enable)
        unblocked_at_start |= 1ull << (sig - 1);
    else
        unblocked_at_start &= ~(1ull << (sig - 1));
    return TRUE;
}

void signals_start(struct thread *t)
{
    has_started = true;
    for (u32 sig = 1; sig <= K_NSIG; sig++) {
        if (interceptors[sig].fun)
            sig_want(t, sig, true);
        if (unblocked_at_start >> (sig - 1) & 1)
            sig_unblock(t, sig, true);
    }
}

bool signal_comes(struct thread *t, const struct pending *p, bool has_handler)
{
    CONTEXT c;
    EXCEPTION_INFO info;
    if (debug_is_on() && !debug_signal(t, p))
        return false;
    if (!interceptors[p->sig].fun)
        return true;
    client_lock();
    context_take(&c, t, false);
    if (p->is_sync)
        exception_from_signal(&info, (int)p->sig, &p->info, &p->fault, arch_pc(&t->arch.regs));
    BOOL pass = interceptors[p->sig].fun(t->index, (INT32)p->sig, &c, has_handler, p->is_sync ? &info : NULL,
                                         interceptors[p->sig].val);
    context_give(&c, t);
    client_unlock();
    return pass;
}

/* ---- faults of the tool ---- */
enum { MAX_TRIES = 32 };
static __thread struct { INTERNAL_EXCEPTION_CALLBACK fun; VOID *val; } tries[MAX_TRIES];
static __thread u32 n_tries;

PIN_CALLBACK PIN_AddInternalExceptionHandler(INTERNAL_EXCEPTION_CALLBACK f, VOID *v)
{
    arch_show_faults();
    return callback_add(CB_INTERNAL_EXCEPTION, f, v);
}

VOID PIN_TryStart(THREADID tid, INTERNAL_EXCEPTION_CALLBACK fun, VOID *val)
{
    if (n_tries == MAX_TRIES)
        api_fatal("PIN_TryStart: more than %d levels", MAX_TRIES);
    tries[n_tries].fun = fun;
    tries[n_tries++].val = val;
}

VOID PIN_TryEnd(THREADID tid)
{
    if (n_tries)
        n_tries--;
}

/* Innermost first, then the global ones. */
static EXCEPT_HANDLING_RESULT ask_all(THREADID tid, EXCEPTION_INFO *info, PHYSICAL_CONTEXT *c)
{
    for (u32 i = n_tries; i; i--) {
        EXCEPT_HANDLING_RESULT r = tries[i - 1].fun(tid, info, c, tries[i - 1].val);
        if (r != EHR_CONTINUE_SEARCH)
            return r;
    }
    FOR_EACH_CALLBACK(k, CB_INTERNAL_EXCEPTION) {
        EXCEPT_HANDLING_RESULT r = k->internal_exception(tid, info, c, k->val);
        if (r != EHR_CONTINUE_SEARCH)
            return r;
    }
    return EHR_UNHANDLED;
}

bool tool_faults(struct thread *t, int sig, const struct k_siginfo *si, struct k_ucontext *uc)
{
    static __thread bool is_busy;                   /* a fault in the handler itself */
    EXCEPTION_INFO info;
    struct arch_fault f;
    if (is_busy || (!n_tries && !callbacks[CB_INTERNAL_EXCEPTION]))
        return false;
    is_busy = true;
    arch_context_fault(uc, &f);
    exception_from_signal(&info, sig, si, &f, arch_context_pc(uc));
    EXCEPT_HANDLING_RESULT r = ask_all(PIN_ThreadId(), &info, (PHYSICAL_CONTEXT *)uc);
    is_busy = false;
    return r == EHR_HANDLED;
}

/* ---- the state of the fault: the kernel's ---- */
static u64 *physical_reg(const PHYSICAL_CONTEXT *c, REG reg)
{
    struct k_sigcontext *m = &((struct k_ucontext *)c)->mc;
    switch (reg) {
    case REG_RAX: return &m->rax;
    case REG_RBX: return &m->rbx;
    case REG_RCX: return &m->rcx;
    case REG_RDX: return &m->rdx;
    case REG_RSI: return &m->rsi;
    case REG_RDI: return &m->rdi;
    case REG_RBP: return &m->rbp;
    case REG_RSP: return &m->rsp;
    case REG_R8: return &m->r8;
    case REG_R9: return &m->r9;
    case REG_R10: return &m->r10;
    case REG_R11: return &m->r11;
    case REG_R12: return &m->r12;
    case REG_R13: return &m->r13;
    case REG_R14: return &m->r14;
    case REG_R15: return &m->r15;
    case REG_RIP: return &m->rip;
    case REG_RFLAGS: return &m->eflags;
    default: api_fatal("a physical context has no register %s", reg_name(reg));
    }
}

ADDRINT PIN_GetPhysicalContextReg(const PHYSICAL_CONTEXT *c, REG reg) { return *physical_reg(c, reg); }
VOID PIN_SetPhysicalContextReg(PHYSICAL_CONTEXT *c, REG reg, ADDRINT val) { *physical_reg(c, reg) = val; }

VOID PIN_GetPhysicalContextFPState(const PHYSICAL_CONTEXT *c, VOID *to)
{
    __builtin_memcpy(to, (void *)((struct k_ucontext *)c)->mc.fpstate, sizeof(FXSAVE));
}

VOID PIN_SetPhysicalContextFPState(PHYSICAL_CONTEXT *c, const VOID *from)
{
    enum { SW_RESERVED = 464 };                     /* the kernel's own part of the image */
    __builtin_memcpy((void *)((struct k_ucontext *)c)->mc.fpstate, from, SW_RESERVED);
}
