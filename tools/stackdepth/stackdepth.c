/* stackdepth: how deep the stack of each thread gets, and what lies on it then.
 *
 * Shows: a comparison, inlined, behind each instruction that moves the stack pointer; the rest of the work is done when it
 * reaches a new low. A pointer far away from where the thread began is another stack (of a signal handler, of a coroutine)
 * and is left out. */
#include "tool.h"
#include "callstack.h"
#include <sys/resource.h>

TOOL_ABOUT("stack depth of each thread, and what is on the stack when it is deepest");

enum { FAR = 1 << 30, FRAMES = 1 << 16 };
struct depth {
    ADDRINT base, low, low_ip;
    ADDRINT told;                               /* stack pointer of the frames below: at most 1/64 above the deepest */
    UINT32 n;
    struct callstack_frame *frame;
};
static __thread struct depth *my;
static __thread ADDRINT low;                    /* as my->low; 0 while there is none */

/* ---- analysis ---- */
static ADDRINT is_lower(ADDRINT sp) { return sp < low; }

static VOID note(ADDRINT sp, ADDRINT ip)
{
    if (my->base - sp > FAR)
        return;
    low = my->low = sp;
    my->low_ip = ip;
    if (my->told - sp < (my->base - sp) / 64)
        return;
    my->told = sp;
    my->n = callstack_frames(sp, my->frame, FRAMES);
}

/* A call's return address is the lowest that a caller makes. */
static ADDRINT call_is_lower(ADDRINT sp) { return sp - sizeof(ADDRINT) < low; }
static VOID note_call(ADDRINT sp, ADDRINT ip) { note(sp - sizeof(ADDRINT), ip); }

static VOID look(INS ins, VOID *v)
{
    if (INS_IsCall(ins)) {
        INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(call_is_lower), IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
        INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(note_call), IARG_REG_VALUE, REG_STACK_PTR, IARG_INST_PTR, IARG_END);
    } else if (INS_FullRegWContain(ins, REG_STACK_PTR) && INS_IsValidForIpointAfter(ins)) {
        INS_InsertIfCall(ins, IPOINT_AFTER, AFUNPTR(is_lower), IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
        INS_InsertThenCall(ins, IPOINT_AFTER, AFUNPTR(note), IARG_REG_VALUE, REG_STACK_PTR, IARG_INST_PTR, IARG_END);
    }
}

/* ---- threads ---- */
static VOID started(THREADID tid, CONTEXT *ctxt, INT32 flags, VOID *v)
{
    my = need(sizeof *my);
    my->base = my->low = my->told = low = PIN_GetContextReg(ctxt, REG_STACK_PTR);
    my->frame = need(FRAMES * sizeof *my->frame);
    thread_me->data = my;
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    my->low = my->told = low = PIN_GetContextReg(ctxt, REG_STACK_PTR);
    my->n = 0;
}

/* ---- report ---- */
static const struct depth *deepest(VOID)
{
    const struct depth *best = NULL;
    for (struct thread_record *t = threads_first(); t; t = t->next) {
        const struct depth *d = t->data;
        if (d && (!best || d->base - d->low > best->base - best->low))
            best = d;
    }
    return best;
}

/* What a routine has on the stack: from the stack pointer of the call that led to it, down to that of its own next call. */
static VOID add_frames(struct report *r, const struct depth *d)
{
    struct table *t = report_table(r, "frames", "routine:t image:t frames:n bytes:n share:%");
    table_title(t, "on the deepest stack");
    ADDRINT above = d->base;
    places_clear_counts();
    VEC(struct routine *) seen = { 0 };
    for (UINT32 i = d->n; i-- > 0; above = d->frame[i].sp) {
        struct routine *rtn = place_routine(d->frame[i].call);
        if (!rtn->count)
            VEC_ADD(seen, rtn);
        rtn->count += above - d->frame[i].sp + (1ul << 40);     /* bytes below, frames above */
    }
    for (size_t i = 0; i < seen.n; i++)
        table_row(t, seen.at[i]->name, seen.at[i]->image->name, seen.at[i]->count >> 40, seen.at[i]->count & ((1ul << 40) - 1));
    table_sort(t, 3);
    free(seen.at);
}

static VOID report(VOID)
{
    const struct depth *d = deepest();
    struct rlimit limit;
    if (!d)
        return;
    UINT64 bytes = d->base - d->low;
    struct report *r = report_new("%s at the deepest, at %s", counted(bytes, "byte"), place_text(d->low_ip));
    report_hidden_number(r, "deepest", bytes);
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        report_number(r, "limit_of_the_first_thread", limit.rlim_cur);
        const struct depth *main_thread = threads_first()->data;
        report_real(r, "used_by_it_percent", percent(main_thread->base - main_thread->low, limit.rlim_cur));
    }
    struct table *t = report_table(r, "threads", "thread:n deepest:n lowest:x at:t");
    for (struct thread_record *w = threads_first(); w; w = w->next) {
        const struct depth *e = w->data;
        if (e)
            table_row(t, (UINT64)w->number, e->base - e->low, e->low, place_text(e->low_ip));
    }
    table_sort(t, 1);
    add_frames(r, d);
    report_write(r);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    PIN_AddThreadStartFunction(started, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    callstack_watch();
    INS_AddInstrumentFunction(look, 0);
    PIN_StartProgram();
}
