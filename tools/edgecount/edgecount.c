/* edgecount: how often each edge of the control flow was taken, from the instruction that ends a block to the next block.
 *
 * An edge whose target is known beforehand needs one counter; the ways out of an indirect jump, call or return are found
 * while it runs, in a table of the thread. */
#include "tool.h"
#include "edge.h"
#include <sys/syscall.h>
TOOL_ABOUT("executions of each edge of the control flow");

/* A repeated instruction begins with its first iteration, or with none. */
static VOID begins(ADDRINT at, BOOL is_first, BOOL is_executing) { counter_add(at, is_first || !is_executing); }

/* ---- instrumentation ---- */
struct site { ADDRINT from, target, next; UINT32 taken; enum { DIRECT, CONDITIONAL, INDIRECT, FALL, REPEATED } kind; };

static struct site *site_of(INS tail)
{
    struct site *s = need(sizeof *s);
    bool is_flow = INS_IsControlFlow(tail), is_direct = is_flow && INS_IsDirectControlFlow(tail);
    s->from = INS_Address(tail);
    s->target = is_direct ? INS_DirectControlFlowTargetAddress(tail) : 0;
    s->next = INS_NextAddress(tail);
    s->kind = !is_flow && INS_HasRealRep(tail) ? REPEATED : !is_flow ? FALL : !is_direct ? INDIRECT : INS_IsCall(tail) || !INS_HasFallThrough(tail) ? DIRECT : CONDITIONAL;
    s->taken = s->kind == CONDITIONAL || s->kind == REPEATED ? counter_new(1) : 0;
    return s;
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        INS tail = BBL_InsTail(bbl);
        struct block *b = block_count(trace, bbl);
        struct site *s = b->data ? b->data : (b->data = site_of(tail));
        if (s->kind == CONDITIONAL)
            INS_InsertCall(tail, IPOINT_TAKEN_BRANCH, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(s->taken), IARG_END);
        else if (s->kind == REPEATED)            /* taken: begun; every further execution came from itself */
            INS_InsertCall(tail, IPOINT_BEFORE, AFUNPTR(begins), IARG_ADDRINT, counter_arg(s->taken),
                           IARG_FIRST_REP_ITERATION, IARG_EXECUTING, IARG_END);
        else if (s->kind == INDIRECT)
            edges_watch(tail);
    }
}

/* ---- system calls that lead nowhere: exit, exec, those that others were in at the end; a signal's return goes elsewhere ---- */
static struct map departures;                   /* by the address of the instruction */

static VOID before_call(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    ADDRINT at = PIN_GetContextReg(ctxt, REG_INST_PTR);
    thread_me->data = (VOID *)at;
    if (PIN_GetSyscallNumber(ctxt, std) != SYS_rt_sigreturn)
        return;
    PIN_LockClient();
    ++*map_at(&departures, at);
    PIN_UnlockClient();
    thread_me->data = NULL;
}

static VOID after_call(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v) { thread_me->data = NULL; }

static VOID finish(struct thread_record *t)
{
    if (t->data)
        ++*map_at(&departures, (ADDRINT)t->data);
    t->data = NULL;
}

static VOID restart(struct thread_record *t)
{
    t->data = NULL;
    map_clear(&departures);
}

/* ---- report ---- */
static VOID add_direct(struct edges *e, const struct block *b)
{
    const struct site *s = b->data;
    UINT64 n = block_completions(b), gone = s->kind == FALL ? map_get(&departures, s->from) : 0;
    n -= gone < n ? gone : n;
    UINT64 taken = s->kind == CONDITIONAL || s->kind == REPEATED ? counter_total(s->taken) : n;
    ADDRINT target = s->kind == FALL || s->kind == REPEATED ? s->next : s->target;
    ADDRINT other = s->kind == REPEATED ? s->from : s->next;
    if (s->kind != INDIRECT && taken)
        edges_add(e, s->from, target, taken);
    if (s->kind != INDIRECT && n > taken)
        edges_add(e, s->from, other, n - taken);
}

static VOID report(VOID)
{
    struct edges e = { 0 };
    UINT64 sum = 0;
    for EDGES_EACH(edges_seen(), x)
        edges_add(&e, x->from, x->to, x->count);
    for (UINT32 i = 0; i < blocks_count(); i++)
        add_direct(&e, block_number(i));
    for EDGES_EACH(&e, x)
        sum += x->count;
    struct report *r = report_new("%s over %s", counted(sum, "transfer"), counted(e.n, "edge"));
    report_hidden_number(r, "transfers", sum);
    struct table *t = report_table(r, "edges", "from:x to:x count:n share:% from_place:t to_place:t");
    for EDGES_EACH(&e, x)
        table_row(t, x->from, x->to, x->count, place_text(x->from), place_text(x->to));
    table_sort(t, 2);
    report_write(r);
    edges_free(&e);
}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { NULL, finish, restart, NULL };
    tool_begin(argc, argv, report);
    threads_hook(&hooks);
    PIN_AddSyscallEntryFunction(before_call, 0);
    PIN_AddSyscallExitFunction(after_call, 0);
    edges_begin();
    blocks_begin();
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
