/* debug_stop.c: threads stop for the debugger and go on.
 *
 *  (1) A breakpoint, and every instruction while somebody steps, has an analysis call before all others. What it finds is
 *      left in the thread's record; the server is woken, brings all threads to rest (emulate/stop.h) and reports it.
 *  (2) A thread that stopped goes on by PIN_ExecuteAt, since its trace may be gone; the call at the instruction it stands at
 *      is then passed over once (`skip`).
 *  (3) Of events that came at the same time one is reported. A breakpoint or a step that was not is met again, if it is
 *      still there; others wait for their turn.
 *  (4) Records are written by their thread before `has_event` is set, by the server while all threads are at rest. */
#include "api/debugger.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/stop.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FUTEX_WAIT = 128, FUTEX_WAKE = 129, MAX_BREAKPOINTS = 4096 };

struct record {
    struct stop event;
    u32 has_event;                              /* set last; cleared when the thread may go on */
    bool is_reported;
    CONTEXT *context;                           /* while it waits here */
    char *message;
    int signal;                                 /* what the debugger answered to a signal */
    addr_t skip;
};
static struct record record[PIN_MAX_THREADS];
static u8 steps[PIN_MAX_THREADS];               /* read by analysis code at each instruction while is_stepping */
static bool is_stepping;                        /* code has those calls; cache lock */
static bool is_stopped;                         /* all threads are at rest for the debugger */
static u64 passed;
static struct { addr_t at; bool is_tools; } breakpoint[MAX_BREAKPOINTS];
static u32 n_breakpoints;

/* ---- what the tool wants to know ---- */
static struct { INTERCEPT_DEBUGGING_EVENT_CALLBACK fun; VOID *arg; } interceptor[DEBUGGING_EVENT_ASYNC_BREAK + 1];
static struct { DEBUG_BREAKPOINT_CALLBACK fun; VOID *val; } handler[16];

VOID PIN_InterceptDebuggingEvent(DEBUGGING_EVENT e, INTERCEPT_DEBUGGING_EVENT_CALLBACK fun, VOID *arg)
{
    if (e > DEBUGGING_EVENT_ASYNC_BREAK)
        api_fatal("PIN_InterceptDebuggingEvent: there is no event %d", e);
    interceptor[e].fun = fun;
    interceptor[e].arg = arg;
}

bool debug_is_intercepted(DEBUGGING_EVENT e, THREADID tid, CONTEXT *c)
{
    if (!interceptor[e].fun)
        return false;
    client_lock();
    bool passes = interceptor[e].fun(tid, e, c, interceptor[e].arg);
    client_unlock();
    return !passes;
}

PIN_CALLBACK PIN_AddBreakpointHandler(DEBUG_BREAKPOINT_CALLBACK fun, VOID *val)
{
    for (u32 i = 0; i < ARRAY_LEN(handler); i++)
        if (!handler[i].fun) {
            handler[i].fun = fun;
            handler[i].val = val;
            return (PIN_CALLBACK)&handler[i];
        }
    return PIN_CALLBACK_INVALID;
}

VOID PIN_RemoveBreakpointHandler(DEBUG_BREAKPOINT_CALLBACK fun)
{
    for (u32 i = 0; i < ARRAY_LEN(handler); i++)
        if (handler[i].fun == fun)
            handler[i].fun = NULL;
}

static bool is_taken_over(addr_t at, u32 size, bool insert)
{
    bool yes = false;
    client_lock();
    for (u32 i = 0; !yes && i < ARRAY_LEN(handler); i++)
        yes = handler[i].fun && handler[i].fun(at, size, insert, handler[i].val);
    client_unlock();
    return yes;
}

/* ---- breakpoints ---- */
static u32 find_breakpoint(addr_t at)
{
    u32 i = 0;
    while (i < n_breakpoints && breakpoint[i].at != at)
        i++;
    return i;
}

static bool is_breakpoint(addr_t at)
{
    u32 i = find_breakpoint(at);
    return i < n_breakpoints && !breakpoint[i].is_tools;
}

bool debug_break_at(addr_t at, u32 size, bool is_set)
{
    u32 i = find_breakpoint(at);
    bool is_tools = is_taken_over(at, size, is_set);
    code_lock();
    if (is_set && i == n_breakpoints && n_breakpoints < MAX_BREAKPOINTS) {
        breakpoint[n_breakpoints].at = at;
        breakpoint[n_breakpoints++].is_tools = is_tools;
    } else if (!is_set && i < n_breakpoints) {
        breakpoint[i] = breakpoint[--n_breakpoints];
    }
    cache_invalidate(at, at + 1);
    code_unlock();
    return !is_set || find_breakpoint(at) < n_breakpoints;
}

VOID PIN_ResetBreakpointAt(ADDRINT at)
{
    code_lock();
    u32 i = find_breakpoint(at);
    if (i < n_breakpoints)
        breakpoint[i].is_tools = false;
    cache_invalidate(at, at + 1);
    code_unlock();
}

void debug_drop_breakpoints(void)
{
    while (n_breakpoints)
        debug_break_at(breakpoint[0].at, 1, false);
}

/* ---- calls ---- */
static u64 does_step(THREADID tid) { return steps[tid]; }
static void reached(CONTEXT *c, THREADID tid, ADDRINT pc);

static struct call *new_call(u32 n, const void *fn, u32 flags)
{
    struct call *c = instr_new_call(n);
    c->fn = fn;
    c->flags = (u8)flags;
    c->order = INT_MIN;
    c->n_args = (u8)n;
    return c;
}

static void add_reached(u32 i, addr_t pc, u32 flags)
{
    struct call *c = new_call(3, (const void *)reached, flags);
    c->arg[0] = (struct arg){ .kind = ARG_CONTEXT, .offset_size = 8, .value = CONTEXT_FULL };
    c->arg[1] = (struct arg){ .kind = ARG_THREAD, .offset_size = 4 };
    c->arg[2] = (struct arg){ .kind = ARG_CONST, .offset_size = 8, .value = pc };
    instr_add(i, POINT_BEFORE, c);
}

static void add_step_check(u32 i, addr_t pc)
{
    struct call *c = new_call(1, (const void *)does_step, CALL_IF);
    c->arg[0] = (struct arg){ .kind = ARG_THREAD, .offset_size = 4 };
    instr_add(i, POINT_BEFORE, c);
    add_reached(i, pc, CALL_THEN);
}

void debug_apply(const struct view *v)
{
    for (u32 i = 0; (is_stepping || n_breakpoints) && i < v->n; i++) {
        if (is_breakpoint(v->insn[i].pc))
            add_reached(i, v->insn[i].pc, 0);
        else if (is_stepping)
            add_step_check(i, v->insn[i].pc);
    }
}

static void set_stepping(bool on)
{
    if (is_stepping == on)
        return;
    code_lock();
    is_stepping = on;
    cache_flush_all();
    code_unlock();
}

void debug_stop_at_first(void)
{
    steps[0] = 1;
    is_stepping = true;
}

/* ---- the thread's side ---- */
static void wait_here(struct record *r, struct stop e, CONTEXT *c)
{
    r->event = e;
    r->context = c;
    r->is_reported = false;
    r->signal = e.signal;
    __atomic_store_n(&r->has_event, 1, __ATOMIC_SEQ_CST);
    debug_wake();
    stop_safe_begin(&thr_self);
    while (__atomic_load_n(&r->has_event, __ATOMIC_SEQ_CST))
        sys4(__NR_futex, &r->has_event, FUTEX_WAIT, 1, 0);
    stop_safe_end(&thr_self);
    r->context = NULL;
}

static void reached(CONTEXT *c, THREADID tid, ADDRINT pc)
{
    struct record *r = &record[tid];
    bool was_here = r->skip == pc, breaks = is_breakpoint(pc);
    r->skip = 0;
    if (was_here || !debug_is_on() || !(breaks || steps[tid]))
        return;
    struct stop e = { breaks ? STOP_BREAKPOINT : STOP_STEP, tid, K_SIGTRAP };
    if (debug_is_intercepted(breaks ? DEBUGGING_EVENT_BREAKPOINT : DEBUGGING_EVENT_SINGLE_STEP, tid, c))
        r->skip = PIN_GetContextReg(c, REG_INST_PTR);
    else
        wait_here(r, e, c);
    context_execute(c);
}

void debug_tool_stop(const CONTEXT *from, THREADID tid, const char *msg)
{
    CONTEXT c;
    struct record *r = &record[tid];
    PIN_SaveContext(from, &c);
    free(r->message);
    r->message = strdup(msg);
    wait_here(r, (struct stop){ STOP_TOOL, tid, K_SIGTRAP }, &c);
    context_execute(&c);
}

static int last_signal;
int debug_last_signal(void) { return last_signal; }

bool debug_signal(struct thread *t, const struct pending *p)
{
    CONTEXT c;
    last_signal = (int)p->sig;
    if (!debug_is_connected() || passed >> (p->sig - 1) & 1)
        return true;
    context_take(&c, t, false);
    struct record *r = &record[t->index];
    wait_here(r, (struct stop){ STOP_SIGNAL, t->index, (int)p->sig }, &c);
    context_give(&c, t);
    return r->signal != 0;
}

u64 debug_passed_signals(void) { return passed; }
void debug_pass_signals(u64 set) { passed = set; }

/* ---- the server's side ---- */
static void spare_nobody(void)
{
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (thread_by_id(i))
            stop_spare(thread_by_id(i), false);
}

void debug_stop_all(void)
{
    if (is_stopped)
        return;
    spare_nobody();
    while (!stop_others(&thr_self))
        PIN_Sleep(1);
    is_stopped = true;
}

bool debug_all_stopped(void) { return is_stopped; }

bool debug_next_stop(struct stop *s)
{
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++) {
        struct record *r = &record[i];
        if (!thread_by_id(i) || !__atomic_load_n(&r->has_event, __ATOMIC_SEQ_CST) || r->is_reported)
            continue;
        debug_stop_all();
        r->is_reported = true;
        *s = r->event;
        return true;
    }
    return false;
}

CONTEXT *debug_context(THREADID tid, bool *is_writable)
{
    struct thread *t = thread_by_id(tid);
    if (!t)
        return NULL;
    struct record *r = &record[tid];
    CONTEXT *c = r->has_event && r->context ? r->context : (CONTEXT *)t->stopped;
    *is_writable = c != NULL;
    return c ? c : (CONTEXT *)PIN_GetStoppedThreadContext(tid);
}

const char *debug_message(THREADID tid) { return record[tid].message ? record[tid].message : ""; }

static void release(struct record *r)
{
    __atomic_store_n(&r->has_event, 0, __ATOMIC_SEQ_CST);
    sys3(__NR_futex, &r->has_event, FUTEX_WAKE, 1);
}

static addr_t pc_of(THREADID tid)
{
    bool is_writable;
    CONTEXT *c = debug_context(tid, &is_writable);
    return c ? PIN_GetContextReg(c, REG_INST_PTR) : 0;
}

/* What was reported goes on from there, over the call that reported it; what was not is met again. */
static void let_go(THREADID tid, const struct resume *how)
{
    struct record *r = &record[tid];
    bool is_met_again = !r->is_reported && (r->event.reason == STOP_BREAKPOINT || r->event.reason == STOP_STEP);
    steps[tid] = how->steps;
    if (r->has_event && !r->is_reported && !is_met_again)
        return;
    bool passes_signal = r->has_event && r->event.reason == STOP_SIGNAL && how->signal;
    bool has_call = how->steps || (r->has_event && is_breakpoint(pc_of(tid)));
    r->skip = has_call && !passes_signal && !(r->has_event && is_met_again) ? pc_of(tid) : 0;
    r->signal = how->signal;
    if (r->has_event)
        release(r);
}

void debug_resume(const struct resume *how)
{
    bool any_step = false, all = true;
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (thread_by_id(i)) {
            any_step |= how[i].goes && how[i].steps;
            all &= how[i].goes;
        }
    set_stepping(any_step);
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++) {
        struct thread *t = thread_by_id(i);
        if (t && how[i].goes)
            let_go(i, &how[i]);
        if (t && !all && how[i].goes)
            stop_spare(t, true);
    }
    is_stopped = false;
    if (all)
        stop_resume(&thr_self);
}

/* ---- threads as the tool sees them ---- */
BOOL PIN_IsThreadStoppedInDebugger(THREADID tid) { return is_stopped && debug_is_connected() && thread_by_id(tid); }

static bool has_pending(THREADID tid)
{
    return tid < PIN_MAX_THREADS && thread_by_id(tid) && record[tid].has_event && record[tid].event.reason == STOP_TOOL && !record[tid].is_reported;
}

BOOL PIN_GetStoppedThreadPendingToolBreakpoint(THREADID tid, const char **msg)
{
    if (!has_pending(tid))
        return FALSE;
    if (msg)
        *msg = debug_message(tid);
    return TRUE;
}

BOOL PIN_ChangePendingToolBreakpointOnStoppedThread(THREADID tid, BOOL squash, const char *msg)
{
    if (!has_pending(tid))
        return FALSE;
    if (squash)
        record[tid].is_reported = true;         /* goes on with the others, as if the debugger had seen it */
    else
        record[tid].message = strdup(msg);
    return TRUE;
}
