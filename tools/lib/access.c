/* access.c: see access.h. */
#include "tool.h"
#include "access.h"

KNOB_TEXT(record, "record", "", "write every access to this file: thread, I, R or W, address, size (%p: the pid)");

static const struct access_watch *watch;
static FILE *log_file;
volatile char access_lock;

/* ---- analysis ---- */
static VOID enter(VOID)
{
    while (!access_try())
        PIN_Yield();
}

static VOID log_access(UINT32 thread, char kind, ADDRINT at, UINT32 size)
{
    if (log_file)
        fprintf(log_file, "%u %c %lx %u\n", thread, kind, at, size);
}

static VOID fetch(ADDRINT at, struct site *s)
{
    UINT32 thread = thread_me->number;
    enter();
    watch->fetch(thread, at, s);
    log_access(thread, 'I', at, watch->code_line);
    access_leave();
}

/* Now and then, for who waits at a terminal. */
static VOID show_progress(VOID)
{
    static UINT64 n;
    if (++n % (1 << 20) == 0)
        out_progress("%s: %s data accesses", tool_name(), commas(n));
}

static VOID data(ADDRINT at, UINT32 size, BOOL is_write, struct site *s)
{
    UINT32 thread = thread_me->number;
    enter();
    watch->data(thread, at, size, is_write, s);
    log_access(thread, is_write ? 'W' : 'R', at, size);
    show_progress();
    access_leave();
}

/* ---- instrumentation: the same place keeps its counters when it is translated anew ---- */
static struct map sites;
static struct site *first_site;

static struct site *site_at(ADDRINT ip, bool is_code)
{
    UINT64 *slot = map_at(&sites, ip << 1 | is_code);
    if (!*slot) {
        struct site *s = need(sizeof *s);
        *s = (struct site){ .next = first_site, .ip = ip };
        *slot = (UINT64)(first_site = s);
    }
    return (struct site *)*slot;
}

/* What is recorded is never easy. */
static VOID insert_data(INS ins, UINT32 k, UINT32 size, BOOL is_write)
{
    struct site *s = site_at(INS_Address(ins), false);
    if (!watch->easy_data || log_file) {
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(data), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_BOOL, is_write, IARG_PTR, s,
                                 IARG_END);
        return;
    }
    INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, watch->easy_data, IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_BOOL, is_write, IARG_PTR, s,
                               IARG_END);
    INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(data), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_BOOL, is_write, IARG_PTR, s,
                                 IARG_END);
}

static VOID insert_fetch(INS ins, ADDRINT line)
{
    struct site *s = site_at(INS_Address(ins), true);
    if (!watch->easy_fetch || log_file) {
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(fetch), IARG_ADDRINT, line, IARG_PTR, s, IARG_END);
        return;
    }
    INS_InsertIfCall(ins, IPOINT_BEFORE, watch->easy_fetch, IARG_ADDRINT, line, IARG_PTR, s, IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(fetch), IARG_ADDRINT, line, IARG_PTR, s, IARG_END);
}

static VOID watch_data(INS ins)
{
    if (INS_IsPrefetch(ins) || INS_IsNop(ins) || INS_IsCacheLineFlush(ins))
        return;
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++) {
        UINT32 size = INS_MemoryOperandSize(ins, k);
        for (UINT32 w = 0; w < 2 && size; w++)
            if (w ? INS_MemoryOperandIsWritten(ins, k) : INS_MemoryOperandIsRead(ins, k))
                insert_data(ins, k, size, w);
    }
}

/* The lines of an instruction that its block has not fetched just before. */
static ADDRINT watch_fetches(INS ins, ADDRINT fetched)
{
    ADDRINT last = (INS_Address(ins) + INS_Size(ins) - 1) / watch->code_line;
    for (ADDRINT line = INS_Address(ins) / watch->code_line; line <= last; line++)
        if (line != fetched) {
            fetched = line;
            insert_fetch(ins, line * watch->code_line);
        }
    return fetched;
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        ADDRINT fetched = ~(ADDRINT)0;
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
            if (watch->code_line)
                fetched = watch_fetches(ins, fetched);
            watch_data(ins);
        }
    }
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    for (struct site *s = first_site; s; s = s->next)
        memset(s->count, 0, sizeof s->count);
}

static VOID end_log(INT32 code, VOID *v)
{
    if (log_file)
        fflush(log_file);
}

VOID access_begin(const struct access_watch *w)
{
    watch = w;
    if (*record)
        log_file = COTTER_OpenReport(record);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_AddFiniFunction(end_log, 0);
}

/* ---- sums by routine and by source line ---- */
struct sum { char *name; UINT64 count[SITE_COUNTS]; };
typedef VEC(struct sum) sums_t;

static int by_name(const VOID *a, const VOID *b)
{
    const struct sum *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static char *name_of(ADDRINT ip, bool by_line)
{
    const char *file;
    struct routine *rtn = place_routine(ip);
    INT32 line = by_line ? place_line(ip, &file) : 0;
    if (line)
        return need_text("%s:%d", base_name(file), line);
    if (by_line)
        return need_text("%s+0x%lx (%s)", rtn->name, ip - rtn->address, rtn->image->name);
    return need_text("%s (%s)", rtn->name, rtn->image->name);
}

static VOID add_table(struct report *r, const char *columns, UINT32 by, bool by_line)
{
    sums_t sums = { 0 };
    for (struct site *s = first_site; s; s = s->next) {
        struct sum sum = { .name = NULL };
        if (!s->count[0])
            continue;
        memcpy(sum.count, s->count, sizeof sum.count);
        sum.name = name_of(s->ip, by_line);
        VEC_ADD(sums, sum);
    }
    qsort(sums.at, sums.n, sizeof *sums.at, by_name);
    char *all = need_text("%s:t %s", by_line ? "line" : "routine", columns);
    struct table *t = report_table(r, by_line ? "lines" : "routines", all);
    for (size_t i = 0, k; i < sums.n; i = k) {
        struct sum s = sums.at[i];
        for (k = i + 1; k < sums.n && strcmp(sums.at[k].name, s.name) == 0; k++)
            for (UINT32 c = 0; c < SITE_COUNTS; c++)
                s.count[c] += sums.at[k].count[c];
        if (s.count[by])
            table_row(t, s.name, s.count[0], s.count[1], s.count[2], s.count[3], s.count[4], s.count[5]);
    }
    table_sort(t, 1 + (int)by);
    for (size_t i = 0; i < sums.n; i++)
        free(sums.at[i].name);
    free(sums.at);
    free(all);
}

VOID access_tables(struct report *r, const char *columns, UINT32 by)
{
    add_table(r, columns, by, false);
    add_table(r, columns, by, true);
}
