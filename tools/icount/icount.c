/* icount: how many instructions the program executes, in all and per thread.
 *
 * Shows: a call per basic block with a constant argument, a counter per thread (a thread-local variable of the tool: the
 * call becomes one add), thread callbacks, a report at the end. Repeated string instructions count once per iteration, as
 * a single-stepping debugger sees them. */
#include <pin.h>
#include <stdio.h>
#include <stdlib.h>

KNOB_TEXT(output, "o", "", "write the report to this file instead of stderr (%p: the pid)");
KNOB_FLAG(json, "json", "machine-readable report");

static __thread UINT64 count;

/* Threads in the order of their birth. A thread's counter is gone with it: what it had is kept here. */
struct record { struct record *next; THREADID tid; UINT64 *live, total; };
static struct record *first, **last = &first;
static TLS_KEY key;

static VOID count_block(UINT32 n) { count += n; }

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        BBL_InsertCall(bbl, IPOINT_ANYWHERE, AFUNPTR(count_block), IARG_UINT32, BBL_NumIns(bbl), IARG_END);
}

static VOID thread_start(THREADID tid, CONTEXT *ctxt, INT32 flags, VOID *v)
{
    struct record *r = calloc(1, sizeof *r);
    r->tid = tid;
    r->live = &count;
    *last = r;
    last = &r->next;
    PIN_SetThreadData(key, r, tid);
}

static VOID thread_fini(THREADID tid, const CONTEXT *ctxt, INT32 code, VOID *v)
{
    struct record *r = PIN_GetThreadData(key, tid);
    r->total = *r->live;
}

static VOID report_json(FILE *out, UINT64 sum)
{
    fprintf(out, "{\"instructions\": %lu, \"threads\": [", sum);
    for (struct record *r = first; r; r = r->next)
        fprintf(out, "%s%lu", r == first ? "" : ", ", r->total);
    fprintf(out, "]}\n");
}

static VOID report_text(FILE *out, UINT64 sum)
{
    fprintf(out, "icount: %lu instructions\n", sum);
    UINT32 n = 0;
    for (struct record *r = first; first->next && r; r = r->next)
        fprintf(out, "icount: %15lu (%5.1f%%) by thread %u\n", r->total, sum ? 100.0 * (double)r->total / (double)sum : 0, n++);
}

static VOID report(INT32 code, VOID *v)
{
    FILE *out = COTTER_OpenReport(output);
    UINT64 sum = 0;
    for (struct record *r = first; r; r = r->next)
        sum += r->total;
    if (json)
        report_json(out, sum);
    else
        report_text(out, sum);
    fflush(out);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    key = PIN_CreateThreadDataKey(NULL);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddThreadStartFunction(thread_start, 0);
    PIN_AddThreadFiniFunction(thread_fini, 0);
    PIN_AddFiniFunction(report, 0);
    PIN_StartProgram();
}
