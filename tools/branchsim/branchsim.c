/* branchsim: how well branches of the program would be predicted: conditional ones by three predictors, indirect ones by
 * their last target, returns by a stack of return addresses. Which branches are hard.
 *
 * Shows: a branch's outcome and target as arguments, and data of the tool for each thread. */
#include "tool.h"
#include "predictor.h"

TOOL_ABOUT("simulates branch predictors: bimodal, gshare, TAGE; which branches are hard");
KNOB_NUMBER(bits, "bits", 12, "tables of 2^N counters");
KNOB_NUMBER(ras_size, "ras", 16, "return addresses that are remembered");
KNOB_TEXT(record, "record", "", "write every conditional branch to this file: thread, address, 1 for taken (%p: the pid)");

/* Counters: executions, those taken, wrong predictions of each predictor. */
struct branch { struct branch *next; ADDRINT pc; UINT32 counter; };
enum { EXECUTED, TAKEN, WRONG, BRANCH_COUNTERS = WRONG + PREDICTORS };
enum { MAX_RAS = 256, TARGETS = 1 << 12 };
struct state {
    struct predictors *p;
    UINT64 n, taken, wrong[PREDICTORS], indirect, indirect_wrong, returns, returns_wrong;
    ADDRINT target[TARGETS], ras[MAX_RAS];
    UINT32 ras_top, ras_n;
};
static struct state sum;
static __thread struct state *my;
static FILE *log_file;
static struct branch *first_branch;
static struct map branches;

/* ---- analysis ---- */
static VOID conditional(struct branch *b, BOOL taken)
{
    UINT32 wrong = predictors_branch(my->p, b->pc, taken);
    my->n++;
    my->taken += taken;
    UINT64 *count = counters + b->counter;
    count[EXECUTED]++;
    count[TAKEN] += taken;
    for (int k = 0; wrong; k++, wrong >>= 1)
        if (wrong & 1) {
            my->wrong[k]++;
            count[WRONG + k]++;
        }
}

/* Apart, since what it needs saved is much. */
static VOID log_branch(ADDRINT pc, BOOL taken) { fprintf(log_file, "%u %lx %d\n", thread_me->number, pc, taken); }

static VOID indirect(ADDRINT pc, ADDRINT target)
{
    ADDRINT *last = &my->target[(pc ^ pc >> 12) % TARGETS];
    my->indirect++;
    my->indirect_wrong += *last != target;
    *last = target;
}

static VOID call(ADDRINT back)
{
    my->ras[my->ras_top++ % (UINT32)ras_size] = back;
    my->ras_n += my->ras_n < (UINT32)ras_size;
}

static VOID ret(ADDRINT target)
{
    my->returns++;
    if (!my->ras_n || my->ras[--my->ras_top % (UINT32)ras_size] != target)
        my->returns_wrong++;
    my->ras_n -= my->ras_n > 0;
}

/* ---- instrumentation ---- */
static struct branch *branch_at(ADDRINT pc)
{
    UINT64 *slot = map_at(&branches, pc);
    if (!*slot) {
        struct branch *b = need(sizeof *b);
        *b = (struct branch){ first_branch, pc, counter_new(BRANCH_COUNTERS) };
        *slot = (UINT64)(first_branch = b);
    }
    return (struct branch *)*slot;
}

static VOID look(INS ins)
{
    if (INS_Category(ins) == XED_CATEGORY_COND_BR && log_file)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(log_branch), IARG_INST_PTR, IARG_BRANCH_TAKEN, IARG_END);
    if (INS_Category(ins) == XED_CATEGORY_COND_BR)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(conditional), IARG_PTR, branch_at(INS_Address(ins)), IARG_BRANCH_TAKEN, IARG_END);
    else if (INS_IsRet(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(ret), IARG_BRANCH_TARGET_ADDR, IARG_END);
    else if (INS_IsIndirectControlFlow(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(indirect), IARG_INST_PTR, IARG_BRANCH_TARGET_ADDR, IARG_END);
    if (INS_IsCall(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(call), IARG_ADDRINT, INS_NextAddress(ins), IARG_END);
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        look(BBL_InsTail(bbl));
}

/* ---- threads ---- */
static VOID start(struct thread_record *t)
{
    t->data = my = need(sizeof *my);
    my->p = predictors_new((UINT32)bits);
}

static VOID finish(struct thread_record *t)
{
    struct state *s = t->data;
    sum.n += s->n;
    sum.taken += s->taken;
    sum.indirect += s->indirect;
    sum.indirect_wrong += s->indirect_wrong;
    sum.returns += s->returns;
    sum.returns_wrong += s->returns_wrong;
    for (int k = 0; k < PREDICTORS; k++)
        sum.wrong[k] += s->wrong[k];
}

static VOID restart(struct thread_record *t) { start(t); }

/* ---- report ---- */
static VOID add_predictors(struct report *r)
{
    struct table *t = report_table(r, "predictors", "predictor:t branches:n wrong:n wrong_rate:f");
    for (int k = 0; k < PREDICTORS; k++)
        table_row(t, predictor_names[k], sum.n, sum.wrong[k], percent(sum.wrong[k], sum.n));
    table_row(t, "indirect: last target", sum.indirect, sum.indirect_wrong, percent(sum.indirect_wrong, sum.indirect));
    table_row(t, "returns: address stack", sum.returns, sum.returns_wrong, percent(sum.returns_wrong, sum.returns));
    table_show_all(t);
}

static VOID add_branches(struct report *r)
{
    struct table *t = report_table(r, "branches", "branch:t executed:n taken_rate:f bimodal:n gshare:n tage:n share:%");
    table_title(t, "wrong predictions of each branch");
    for (struct branch *b = first_branch; b; b = b->next) {
        UINT64 n[BRANCH_COUNTERS], *wrong = n + WRONG;
        for (UINT32 k = 0; k < BRANCH_COUNTERS; k++)
            n[k] = counter_total(b->counter + k);
        if (wrong[BIMODAL] || wrong[GSHARE] || wrong[TAGE])
            table_row(t, place_text(b->pc), n[EXECUTED], percent(n[TAKEN], n[EXECUTED]), wrong[BIMODAL], wrong[GSHARE], wrong[TAGE]);
    }
    table_sort(t, 5);
}

static VOID report(VOID)
{
    struct report *r = report_new("%s, %.1f%% taken; tage is wrong for %.2f%%", counted(sum.n, "conditional branch"), percent(sum.taken, sum.n),
                                  percent(sum.wrong[TAGE], sum.n));
    report_hidden_number(r, "conditional", sum.n);
    report_hidden_number(r, "taken", sum.taken);
    add_predictors(r);
    add_branches(r);
    report_write(r);
    if (log_file)
        fflush(log_file);
}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    tool_begin(argc, argv, report);
    if (bits < 4 || bits > 24)
        tool_fail("-bits %ld: give 4 to 24", bits);
    if (ras_size < 1 || ras_size > MAX_RAS)
        tool_fail("-ras %ld: give 1 to %d", ras_size, MAX_RAS);
    if (*record)
        log_file = COTTER_OpenReport(record);
    counters_begin();
    threads_hook(&hooks);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
