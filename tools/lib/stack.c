/* stack.c: see stack.h.
 *
 * Stacks grow downwards: a frame is live while its sp is above that of every later one. */
#include "tool.h"
#include "stack.h"

__thread struct stack stack;
static __thread ADDRINT last_site;
static __thread ADDRINT is_called;              /* a call instruction ran, and no routine has begun since */
static VOID (*on_enter)(struct stack *s, struct frame *f), (*on_leave)(struct stack *s, struct frame *f);

static VOID pop(struct stack *s)
{
    if (on_leave)
        on_leave(s, &s->at[s->n - 1]);
    s->n--;
}

static VOID pop_below(struct stack *s, ADDRINT sp)
{
    while (s->n > s->floor && s->at[s->n - 1].sp < sp)
        pop(s);
}

/* ---- analysis ---- */
static VOID call(ADDRINT site)
{
    last_site = site;
    is_called = 1;
}

static VOID begin(struct routine *r, ADDRINT sp)
{
    struct stack *s = &stack;
    pop_below(s, sp + (is_called != 0));
    struct frame *top = s->n > s->floor ? &s->at[s->n - 1] : NULL;
    if (!is_called && top && top->sp == sp && top->routine == r)
        return;                                 /* a loop to the routine's first instruction */
    is_called = 0;
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->at = need_more(s->at, s->room * sizeof *s->at);
    }
    struct frame *f = &s->at[s->n++];
    *f = (struct frame){ .sp = sp, .site = last_site, .routine = r };
    if (on_enter)
        on_enter(s, f);
}

static VOID returns(ADDRINT sp) { pop_below(&stack, sp + 1); }

/* ---- instrumentation ---- */
VOID stack_instrument(BBL bbl)
{
    INS head = BBL_InsHead(bbl), tail = BBL_InsTail(bbl);
    struct routine *r = place_routine(BBL_Address(bbl));
    if (r->address == BBL_Address(bbl) && !r->is_stub)
        INS_InsertCall(head, IPOINT_BEFORE, AFUNPTR(begin), IARG_PTR, r, IARG_REG_VALUE, REG_STACK_PTR, IARG_CALL_ORDER,
                       CALL_ORDER_FIRST, IARG_END);
    if (INS_IsCall(tail))
        INS_InsertCall(tail, IPOINT_BEFORE, AFUNPTR(call), IARG_INST_PTR, IARG_END);
    else if (INS_IsRet(tail))
        INS_InsertCall(tail, IPOINT_BEFORE, AFUNPTR(returns), IARG_REG_VALUE, REG_STACK_PTR, IARG_CALL_ORDER, CALL_ORDER_LAST,
                       IARG_END);
}

/* ---- signals ---- */
static bool is_elsewhere(ADDRINT from, ADDRINT to)
{
    enum { NEAR = 1 << 20 };
    return to > from || from - to > NEAR;
}

static VOID context_changes(THREADID tid, CONTEXT_CHANGE_REASON why, const CONTEXT *from, CONTEXT *to, INT32 info, VOID *v)
{
    struct stack *s = &stack;
    if (!to)
        return;
    if (why == CONTEXT_CHANGE_REASON_SIGNAL) {
        is_called = 0;
        if (s->n_saved < 8 && is_elsewhere(PIN_GetContextReg(from, REG_STACK_PTR), PIN_GetContextReg(to, REG_STACK_PTR))) {
            s->saved[s->n_saved].n = s->n;
            s->saved[s->n_saved++].floor = s->floor;
            s->floor = s->n;
        }
    } else if (why == CONTEXT_CHANGE_REASON_SIGRETURN && s->n_saved &&
               is_elsewhere(PIN_GetContextReg(to, REG_STACK_PTR), PIN_GetContextReg(from, REG_STACK_PTR))) {
        s->n_saved--;
        while (s->n > s->saved[s->n_saved].n)
            pop(s);
        s->floor = s->saved[s->n_saved].floor;
    }
}

/* ---- threads ---- */
static VOID start(struct thread_record *t)
{
    t->stack = &stack;
    stack.thread = t;
}

/* The frames stay when the process goes on: an exec may fail. */
static VOID finish(struct thread_record *t)
{
    if (t != thread_me || PIN_IsProcessExiting())
        return;
    stack.floor = 0;
    while (stack.n)
        pop(&stack);
    free(stack.at);
    stack = (struct stack){ 0 };
}

VOID stack_begin(VOID (*enter)(struct stack *s, struct frame *f), VOID (*leave)(struct stack *s, struct frame *f))
{
    static struct thread_hooks hooks = { start, finish, NULL, NULL };
    on_enter = enter;
    on_leave = leave;
    threads_hook(&hooks);
    PIN_AddContextChangeFunction(context_changes, 0);
}
