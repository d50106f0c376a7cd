/* access.c: see access.h. */
#include "tool.h"
#include "progress.h"
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
static VOID show_progress(UINT64 more)
{
    static UINT64 n;
    n += more;
    if (n % (1 << 20) < more)
        out_progress("%s: %s accesses", tool_name(), commas(n));
}

static VOID data(ADDRINT at, UINT32 size, BOOL is_write, struct site *s)
{
    UINT32 thread = thread_me->number;
    enter();
    watch->data(thread, at, size, is_write, s);
    log_access(thread, is_write ? 'W' : 'R', at, size);
    show_progress(1);
    access_leave();
}

/* ---- one thread: records in a buffer ---- */
enum { BUFFER_PAGES = 16 };                     /* what is written is read again before it leaves a real cache */
static BUFFER_ID buffer;
static VOID *buffer_base;                       /* of the only thread */
static UINT64 n_stale;                          /* records at its beginning that are the parent's */
static volatile bool is_shared;                 /* there are several threads, or there were */

static VOID *full(BUFFER_ID id, THREADID tid, const CONTEXT *ctxt, VOID *records, UINT64 n, VOID *v)
{
    UINT32 thread = thread_me ? thread_me->number : 0;
    enter();
    watch->batch(thread, (struct access *)records + n_stale, (struct access *)records + n);
    n_stale = 0;
    show_progress(n);
    access_leave();
    return buffer_base = records;
}

static VOID starts(struct thread_record *t)
{
    if (!t->number || is_shared)
        return;
    is_shared = true;
    PIN_RemoveInstrumentation();                /* all code is instrumented anew */
}

/* ---- instrumentation: the same place keeps its counters when it is translated anew ---- */
static struct map sites;
static struct site *first_site;

static struct site *site_for(struct site like)
{
    UINT64 key[3] = { like.ip, (UINT64)like.size << 32 | like.n_ins, like.is_code << 1 | like.is_write };
    UINT64 *slot = map_at(&sites, hash_bytes(key, sizeof key, 0));
    if (!*slot) {
        struct site *s = need(sizeof *s);
        *s = like;
        s->next = first_site;
        *slot = (UINT64)(first_site = s);
    }
    return (struct site *)*slot;
}

/* What is recorded is never easy, and never sure. */
static VOID insert_data(INS ins, UINT32 k, UINT32 size, BOOL is_write)
{
    struct site *s = site_for((struct site){ .ip = INS_Address(ins), .size = size, .is_write = is_write });
    if (!is_shared && !log_file) {
        INS_InsertFillBufferPredicated(ins, IPOINT_BEFORE, buffer, IARG_MEMORYOP_EA, k, (UINT32)offsetof(struct access, at), IARG_PTR, s,
                                       (UINT32)offsetof(struct access, site), IARG_END);
        return;
    }
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

static VOID sure(UINT64 *n) { ++*n; }

static VOID insert_sure_fetch(INS ins, UINT32 n_ins)
{
    struct site *s = site_for((struct site){ .ip = INS_Address(ins), .n_ins = n_ins, .is_code = true });
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(sure), IARG_PTR, &s->n_sure, IARG_END);
}

static VOID insert_fetch(INS ins, ADDRINT line, UINT32 n_ins)
{
    struct site *s = site_for((struct site){ .ip = INS_Address(ins), .n_ins = n_ins, .is_code = true });
    if (!is_shared && !log_file) {
        INS_InsertFillBuffer(ins, IPOINT_BEFORE, buffer, IARG_ADDRINT, line, (UINT32)offsetof(struct access, at), IARG_PTR, s,
                             (UINT32)offsetof(struct access, site), IARG_END);
        return;
    }
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
static ADDRINT watch_fetches(INS ins, ADDRINT fetched, UINT32 n_ins)
{
    ADDRINT last = (INS_Address(ins) + INS_Size(ins) - 1) / watch->code_line;
    for (ADDRINT line = INS_Address(ins) / watch->code_line; line <= last; line++)
        if (line != fetched) {
            fetched = line;
            insert_fetch(ins, line * watch->code_line, n_ins);
            n_ins = 0;
        }
    return fetched;
}

static VOID instrument(TRACE trace, VOID *v)
{
    const ADDRINT NONE = ~(ADDRINT)0;
    ADDRINT fetched = NONE;
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        ADDRINT before = fetched;
        fetched = NONE;
        if (watch->has_sure_fetches && !is_shared && !log_file && BBL_Address(bbl) / watch->code_line == before) {
            insert_sure_fetch(BBL_InsHead(bbl), BBL_NumIns(bbl));
            fetched = before;
        }
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
            if (watch->code_line)
                fetched = watch_fetches(ins, fetched, fetched == NONE ? BBL_NumIns(bbl) : 0);
            watch_data(ins);
        }
    }
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    for (struct site *s = first_site; s; s = s->next) {
        memset(s->count, 0, sizeof s->count);
        s->n_sure = 0;
    }
    n_stale = is_shared || !buffer_base ? 0 : (UINT64)((struct access *)PIN_GetBufferPointer(NULL, buffer) - (struct access *)buffer_base);
}

static VOID end_log(INT32 code, VOID *v)
{
    if (log_file)
        fflush(log_file);
}

VOID access_begin(const struct access_watch *w)
{
    static struct thread_hooks hooks = { starts, NULL, NULL, NULL };
    watch = w;
    if (*record)
        log_file = COTTER_OpenReport(record);
    buffer = PIN_DefineTraceBuffer(sizeof(struct access), BUFFER_PAGES, full, 0);
    threads_hook(&hooks);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_AddFiniFunction(end_log, 0);
}

UINT64 access_sure(VOID)
{
    UINT64 n = 0;
    for (struct site *s = first_site; s; s = s->next) {
        s->count[0] += s->n_sure;
        n += s->n_sure;
        s->n_sure = 0;
    }
    return n;
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
