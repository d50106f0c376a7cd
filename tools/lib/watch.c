/* watch.c: see watch.h. The stack pointer at a routine's first instruction is the one at its return. */
#include "tool.h"
#include "watch.h"

enum { DEEPEST = 1 << 14 };
static __thread struct watched *calls;
static __thread UINT32 n_calls;
static __thread ADDRINT return_sp;              /* of the innermost call; 0: none */
static const struct watch_hooks *hooks;

static VOID update(VOID) { return_sp = n_calls ? calls[n_calls - 1].sp : 0; }

/* Calls that were left without a return: the stack pointer has passed them. */
static VOID drop_below(ADDRINT sp)
{
    while (n_calls && calls[n_calls - 1].sp < sp)
        n_calls--;
}

static VOID enter(struct routine *r, VOID *choice, ADDRINT sp, ADDRINT from, ADDRINT a0, ADDRINT a1, ADDRINT a2, ADDRINT a3,
                  ADDRINT a4, ADDRINT a5)
{
    if (!calls)
        calls = need(DEEPEST * sizeof *calls);
    drop_below(sp);
    if (n_calls == DEEPEST)
        return;
    struct watched *w = &calls[n_calls++];
    *w = (struct watched){ sp, from, r, choice, { a0, a1, a2, a3, a4, a5 }, n_calls };
    update();
    hooks->enter(w);
}

static ADDRINT is_watched(ADDRINT sp) { return sp == return_sp; }

static VOID leave(ADDRINT sp, ADDRINT result)
{
    while (n_calls && calls[n_calls - 1].sp == sp)
        hooks->leave(&calls[--n_calls], result);
    update();
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        INS tail = BBL_InsTail(bbl);
        struct routine *r = place_routine(BBL_Address(bbl));
        VOID *choice = r->address == BBL_Address(bbl) && !r->is_stub ? hooks->choose(r) : NULL;
        if (choice)
            INS_InsertCall(BBL_InsHead(bbl), IPOINT_BEFORE, AFUNPTR(enter), IARG_PTR, r, IARG_PTR, choice, IARG_REG_VALUE,
                           REG_STACK_PTR, IARG_RETURN_IP, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 1,
                           IARG_FUNCARG_ENTRYPOINT_VALUE, 2, IARG_FUNCARG_ENTRYPOINT_VALUE, 3, IARG_FUNCARG_ENTRYPOINT_VALUE, 4,
                           IARG_FUNCARG_ENTRYPOINT_VALUE, 5, IARG_END);
        if (!INS_IsRet(tail))
            continue;
        INS_InsertIfCall(tail, IPOINT_BEFORE, AFUNPTR(is_watched), IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
        INS_InsertThenCall(tail, IPOINT_BEFORE, AFUNPTR(leave), IARG_REG_VALUE, REG_STACK_PTR, IARG_FUNCRET_EXITPOINT_VALUE, IARG_END);
    }
}

static VOID finish(struct thread_record *t)
{
    if (t != thread_me || PIN_IsProcessExiting())
        return;
    free(calls);
    calls = NULL;
    n_calls = 0;
    return_sp = 0;
}

VOID watch_begin(const struct watch_hooks *h)
{
    static struct thread_hooks thread_hooks = { NULL, finish, NULL, NULL };
    hooks = h;
    threads_hook(&thread_hooks);
    TRACE_AddInstrumentFunction(instrument, 0);
}
