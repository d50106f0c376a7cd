/* cachesim: how the program would use caches of a given shape: hits and misses per level, routine and source line.
 *
 * Shows: a simulator on top of tools/lib: access.c hands over every access, model.c simulates, report.c and html.c tell. */
#include "tool.h"
#include "access.h"
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

static struct cache_shape shapes[LEVELS];
static bool is_there[LEVELS];

static VOID report(VOID)
{
    model_finish();
    struct level_counts *d = &model_counts[L1D];
    struct report *r = report_new("%s, %.2f%% miss L1D", counted(d->reads + d->writes, "data access"),
                                  percent(d->read_misses + d->write_misses, d->reads + d->writes));
    report_hidden_number(r, "data_accesses", d->reads + d->writes);
    report_hidden_number(r, "data_misses", d->read_misses + d->write_misses);
    report_hidden_number(r, "code_line_fetches", model_counts[L1I].reads);
    report_hidden_number(r, "code_misses", model_counts[L1I].read_misses);
    model_levels(r, true);
    access_tables(r, "accesses:n l1_misses:n share:% l2_misses:n l3_misses:n coherence_misses:n", SITE_L1);
    html_bars("L1 misses by routine", "routines", "routine", "l1_misses");
    html_bars("L1 misses by source line", "lines", "line", "l1_misses");
    html_write(r);
    report_write(r);
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

static VOID batch(UINT32 thread, const struct access *from, const struct access *end) { model_batch(thread, from, end, true); }
static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v) { model_clear(); }

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
    static struct access_watch watch = { .fetch = model_fetch, .data = model_data, .batch = batch, .easy_fetch = AFUNPTR(model_easy_fetch),
                                         .easy_data = AFUNPTR(model_easy_data) };
    watch.code_line = shapes[L1I].line;
    watch.has_sure_fetches = shapes[L1I].policy != CACHE_SRRIP;         /* there the second use of a line matters */
    access_begin(&watch);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
