/* edgecount: how often each edge of the control flow was taken, from the instruction that ends a block to the next block.
 *
 * An edge whose target is known beforehand needs one counter; the ways out of an indirect jump, call or return are found
 * while it runs, in a table of the thread. */
#include "tool.h"
TOOL_ABOUT("executions of each edge of the control flow");

/* ---- indirect edges: a table for each thread, open addressing ---- */
struct edge { ADDRINT from, to; UINT64 count; };
struct edges { struct edge *at; UINT64 n, mask; };
static __thread struct edges edges;

static struct edge *find(struct edges *e, ADDRINT from, ADDRINT to)
{
    UINT64 i = ((from ^ to << 17) * 0x9E3779B97F4A7C15ull >> 24) & e->mask;
    while (e->at[i].count && (e->at[i].from != from || e->at[i].to != to))
        i = (i + 1) & e->mask;
    return &e->at[i];
}

static VOID add(struct edges *e, ADDRINT from, ADDRINT to, UINT64 count)
{
    if (2 * (e->n + 1) > e->mask) {
        struct edges old = *e;
        e->mask = old.mask ? 2 * old.mask + 1 : 1023;
        e->at = need((e->mask + 1) * sizeof *e->at);
        for (UINT64 i = 0; old.at && i <= old.mask; i++)
            if (old.at[i].count)
                *find(e, old.at[i].from, old.at[i].to) = old.at[i];
        free(old.at);
    }
    struct edge *x = find(e, from, to);
    e->n += !x->count;
    *x = (struct edge){ from, to, x->count + count };
}

static VOID went(ADDRINT from, ADDRINT to) { add(&edges, from, to, 1); }

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
        struct block *b = block_for(bbl);
        struct site *s = b->data ? b->data : (b->data = site_of(tail));
        BBL_InsertCall(bbl, IPOINT_ANYWHERE, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(b->counter), IARG_END);
        if (s->kind == CONDITIONAL)
            INS_InsertCall(tail, IPOINT_TAKEN_BRANCH, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(s->taken), IARG_END);
        else if (s->kind == REPEATED)            /* taken: begun; every further execution came from itself */
            INS_InsertCall(tail, IPOINT_BEFORE, AFUNPTR(begins), IARG_ADDRINT, counter_arg(s->taken),
                           IARG_FIRST_REP_ITERATION, IARG_EXECUTING, IARG_END);
        else if (s->kind == INDIRECT)
            INS_InsertCall(tail, IPOINT_BEFORE, AFUNPTR(went), IARG_INST_PTR, IARG_BRANCH_TARGET_ADDR, IARG_END);
    }
}

/* ---- report ---- */
static struct edges all;

static VOID merge(struct edges *e)
{
    for (UINT64 i = 0; e->at && i <= e->mask; i++)
        if (e->at[i].count)
            add(&all, e->at[i].from, e->at[i].to, e->at[i].count);
    free(e->at);
    *e = (struct edges){ 0 };
}

static VOID start(struct thread_record *t) { t->data = &edges; }
static VOID finish(struct thread_record *t) { merge(t->data); }

static VOID restart(struct thread_record *t)
{
    free(edges.at);
    free(all.at);
    edges = all = (struct edges){ 0 };
}

static VOID add_direct(struct edges *e, const struct block *b)
{
    const struct site *s = b->data;
    UINT64 n = block_executions(b), taken = s->kind == CONDITIONAL || s->kind == REPEATED ? counter_total(s->taken) : n;
    ADDRINT target = s->kind == FALL || s->kind == REPEATED ? s->next : s->target;
    ADDRINT other = s->kind == REPEATED ? s->from : s->next;
    if (s->kind != INDIRECT && taken)
        add(e, s->from, target, taken);
    if (s->kind != INDIRECT && n > taken)
        add(e, s->from, other, n - taken);
}

static VOID report(VOID)
{
    struct edges e = { 0 };
    UINT64 sum = 0;
    for (UINT64 i = 0; all.at && i <= all.mask; i++)
        if (all.at[i].count)
            add(&e, all.at[i].from, all.at[i].to, all.at[i].count);
    for (UINT32 i = 0; i < blocks_count(); i++)
        add_direct(&e, block_number(i));
    for (UINT64 i = 0; e.at && i <= e.mask; i++)
        sum += e.at[i].count;
    struct report *r = report_new("%s transfers over %s edges", commas(sum), commas(e.n));
    report_hidden_number(r, "transfers", sum);
    struct table *t = report_table(r, "edges", "from:x to:x count:n share:% from_place:t to_place:t");
    for (UINT64 i = 0; e.at && i <= e.mask; i++)
        if (e.at[i].count)
            table_row(t, e.at[i].from, e.at[i].to, e.at[i].count, place_text(e.at[i].from), place_text(e.at[i].to));
    table_sort(t, 2);
    report_write(r);
    free(e.at);
}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    tool_begin(argc, argv, report);
    threads_hook(&hooks);
    counters_begin();
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
