/* cachesim: how the program would use caches of a given shape: hits and misses per level, routine and source line.
 *
 * Shows: a call per memory operand and per line of code of a basic block, with a pointer to the place's own counters as a
 * constant argument; a model shared by all threads, in the order in which they run; a page for a browser (-html). */
#include "tool.h"
#include "cache.h"
#include "html.h"
#include "model.h"

TOOL_ABOUT("simulates caches: misses per level, routine and source line, also between cores");
KNOB_TEXT(l1i, "l1i", "32k,8,64", "instruction cache: SIZE,WAYS,LINE,POLICY (lru, plru, random, srrip)");
KNOB_TEXT(l1d, "l1d", "32k,8,64", "data cache");
KNOB_TEXT(l2, "l2", "1m,16,64", "second level, for both; off: none");
KNOB_TEXT(l3, "l3", "16m,16,64", "third level, shared by all cores; off: none");
KNOB_TEXT(policy, "policy", "lru", "policy of levels that do not say their own");
KNOB_NUMBER(n_cores, "cores", 16, "cores: thread N runs on core N modulo this");
KNOB_TEXT(record, "record", "", "write every access to this file: core, I, R or W, address, size (%p: the pid)");

static FILE *log_file;
static PIN_MUTEX lock;
static struct cache_shape shapes[LEVELS];
static bool is_there[LEVELS];

/* ---- analysis ---- */
static UINT32 core(VOID) { return thread_me ? thread_me->number % (UINT32)n_cores : 0; }

static VOID log_access(char kind, ADDRINT at, UINT32 size)
{
    if (log_file)
        fprintf(log_file, "%u %c %lx %u\n", core(), kind, at, size);
}

static VOID fetch(ADDRINT at, struct site *site)
{
    PIN_MutexLock(&lock);
    model_fetch(core(), at, site);
    log_access('I', at, 1);
    PIN_MutexUnlock(&lock);
}

static VOID read_data(ADDRINT at, UINT32 size, struct site *site)
{
    PIN_MutexLock(&lock);
    model_data(core(), at, size, false, site);
    log_access('R', at, size);
    PIN_MutexUnlock(&lock);
}

static VOID write_data(ADDRINT at, UINT32 size, struct site *site)
{
    PIN_MutexLock(&lock);
    model_data(core(), at, size, true, site);
    log_access('W', at, size);
    PIN_MutexUnlock(&lock);
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

static VOID watch_data(INS ins)
{
    if (INS_IsPrefetch(ins) || INS_IsNop(ins) || INS_IsCacheLineFlush(ins))
        return;
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++) {
        UINT32 size = INS_MemoryOperandSize(ins, k);
        struct site *s = site_at(INS_Address(ins), false);
        if (INS_MemoryOperandIsRead(ins, k) && size)
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(read_data), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_PTR, s, IARG_END);
        if (INS_MemoryOperandIsWritten(ins, k) && size)
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(write_data), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_PTR, s, IARG_END);
    }
}

/* A block fetches each of its lines once, when control enters the line. */
static VOID watch_block(BBL bbl)
{
    ADDRINT line = ~(ADDRINT)0;
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
        ADDRINT last = (INS_Address(ins) + INS_Size(ins) - 1) / shapes[L1I].line;
        for (ADDRINT l = INS_Address(ins) / shapes[L1I].line; l <= last; l++)
            if (l != line) {
                line = l;
                INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(fetch), IARG_ADDRINT, l * shapes[L1I].line, IARG_PTR,
                               site_at(INS_Address(ins), true), IARG_END);
            }
        watch_data(ins);
    }
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        watch_block(bbl);
}

/* ---- report ---- */
static VOID add_levels(struct report *r)
{
    struct table *t = report_table(r, "levels", "level:t shape:t reads:n read_misses:n writes:n write_misses:n miss_rate:f coherence_misses:n write_backs:n");
    for (enum level l = L1I; l < LEVELS; l++) {
        struct level_counts *c = &model_counts[l];
        if (is_there[l])
            table_row(t, level_names[l], cache_shape_text(&shapes[l]), c->reads, c->read_misses, c->writes, c->write_misses,
                      percent(c->read_misses + c->write_misses, c->reads + c->writes), c->coherence, c->write_backs);
    }
    table_show_all(t);
}

/* Sums of sites by a key: a routine, or a source line. */
struct sum { char *name; UINT64 accesses, l1, l2, l3, coherence; };
static VEC(struct sum) sums;

static int by_name(const VOID *a, const VOID *b)
{
    const struct sum *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static VOID add_sums(struct report *r, const char *table, const char *first_column)
{
    char *columns = need_text("%s:t accesses:n l1_misses:n share:%% l2_misses:n l3_misses:n coherence_misses:n miss_rate:f", first_column);
    struct table *t = report_table(r, table, columns);
    qsort(sums.at, sums.n, sizeof *sums.at, by_name);
    for (size_t i = 0, k; i < sums.n; i = k) {
        struct sum s = sums.at[i];
        for (k = i + 1; k < sums.n && strcmp(sums.at[k].name, s.name) == 0; k++) {
            s.accesses += sums.at[k].accesses;
            s.l1 += sums.at[k].l1;
            s.l2 += sums.at[k].l2;
            s.l3 += sums.at[k].l3;
            s.coherence += sums.at[k].coherence;
        }
        if (s.l1)
            table_row(t, s.name, s.accesses, s.l1, s.l2, s.l3, s.coherence, percent(s.l1, s.accesses));
    }
    table_sort(t, 2);
    for (size_t i = 0; i < sums.n; i++)
        free(sums.at[i].name);
    sums.n = 0;
    free(columns);
}

static VOID add_sites(struct report *r, bool by_line)
{
    for (struct site *s = first_site; s; s = s->next) {
        const char *file;
        struct routine *rtn = place_routine(s->ip);
        INT32 line = by_line ? place_line(s->ip, &file) : 0;
        if (!s->reads && !s->writes)
            continue;
        char *name = !by_line ? need_text("%s (%s)", rtn->name, rtn->image->name)
                     : line   ? need_text("%s:%d", base_name(file), line)
                              : need_text("%s+0x%lx (%s)", rtn->name, s->ip - rtn->address, rtn->image->name);
        VEC_ADD(sums, ((struct sum){ name, s->reads + s->writes, s->l1, s->l2, s->l3, s->coherence }));
    }
    add_sums(r, by_line ? "lines" : "routines", by_line ? "line" : "routine");
}

static VOID report(VOID)
{
    struct level_counts *d = &model_counts[L1D];
    struct report *r = report_new("%s data accesses, %.2f%% miss L1D", commas(d->reads + d->writes),
                                  percent(d->read_misses + d->write_misses, d->reads + d->writes));
    report_hidden_number(r, "data_accesses", d->reads + d->writes);
    report_hidden_number(r, "data_misses", d->read_misses + d->write_misses);
    report_hidden_number(r, "code_line_fetches", model_counts[L1I].reads);
    report_hidden_number(r, "code_misses", model_counts[L1I].read_misses);
    add_levels(r);
    add_sites(r, false);
    add_sites(r, true);
    html_bars("L1 misses by routine", "routines", "routine", "l1_misses");
    html_bars("L1 misses by source line", "lines", "line", "l1_misses");
    html_write(r);
    report_write(r);
    if (log_file)
        fflush(log_file);
}

/* ---- options ---- */
static VOID read_shape(enum level l, const char *option, const char *text)
{
    is_there[l] = strcmp(text, "off") != 0;
    if (!is_there[l])
        return;
    shapes[l] = (struct cache_shape){ 32 << 10, 8, 64, CACHE_LRU };
    char *with = need_text(",,,%s", policy);
    const char *wrong = cache_parse(with, &shapes[l]);
    if (wrong)
        tool_fail("-policy %s: %s", policy, wrong);
    free(with);
    wrong = cache_parse(text, &shapes[l]);
    if (wrong)
        tool_fail("-%s %s: %s; for example 32k,8,64,lru", option, text, wrong);
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    memset(model_counts, 0, sizeof model_counts);
    for (struct site *s = first_site; s; s = s->next)
        *s = (struct site){ .next = s->next, .ip = s->ip };
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    read_shape(L1I, "l1i", l1i);
    read_shape(L1D, "l1d", l1d);
    read_shape(L2, "l2", l2);
    read_shape(L3, "l3", l3);
    if (!is_there[L1I] || !is_there[L1D])
        tool_fail("the first level cannot be left out");
    if (n_cores < 1 || n_cores > MAX_CORES)
        tool_fail("-cores %ld: give 1 to %d", n_cores, MAX_CORES);
    model_begin(shapes, is_there, (UINT32)n_cores);
    PIN_MutexInit(&lock);
    if (*record)
        log_file = COTTER_OpenReport(record);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
