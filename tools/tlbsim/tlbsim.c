/* tlbsim: how the program would use translation look-aside buffers of a given shape: misses per level, routine and source
 * line. A TLB is a cache whose lines are pages; each thread has its own. */
#include "tool.h"
#include "access.h"
#include "cache.h"
#include "model.h"

TOOL_ABOUT("simulates TLBs: misses per level, routine and source line");
KNOB_TEXT(itlb, "itlb", "128,8", "for code: ENTRIES,WAYS,POLICY (lru, plru, random, srrip)");
KNOB_TEXT(dtlb, "dtlb", "64,4", "for data");
KNOB_TEXT(stlb, "stlb", "1536,12", "second level, for both; off: none");
KNOB_TEXT(page, "page", "4k", "page size");

static struct cache_shape shapes[LEVELS];
static bool is_there[LEVELS];

static VOID read_shape(enum level l, const char *option, const char *text, UINT32 page_size)
{
    char *copy = strdup(text), *ways = strchr(copy, ','), *policy = ways ? strchr(ways + 1, ',') : NULL;
    is_there[l] = strcmp(text, "off") != 0;
    if (!is_there[l])
        return;
    if (ways)
        *ways++ = 0;
    if (policy)
        *policy++ = 0;
    char *as_cache = need_text("%lu,%s,%u,%s", strtoul(copy, NULL, 10) * page_size, ways ? ways : "4", page_size, policy ? policy : "lru");
    const char *wrong = cache_parse(as_cache, &shapes[l]);
    if (wrong)
        tool_fail("-%s %s: %s; for example 64,4,lru", option, text, shapes[l].policy == CACHE_PLRU ? wrong : "not ENTRIES,WAYS,POLICY");
    free(as_cache);
    free(copy);
}

static UINT32 read_page(VOID)
{
    struct cache_shape s = { 0, 1, 1, CACHE_LRU };
    if (cache_parse(page, &s) || s.size < 512 || s.size & (s.size - 1) || s.size > 1 << 30)
        tool_fail("-page %s: not a power of two, as 4k or 2m", page);
    return (UINT32)s.size;
}

static VOID report(VOID)
{
    model_finish();
    struct level_counts *d = &model_counts[L1D], *i = &model_counts[L1I], *last = is_there[L2] ? &model_counts[L2] : NULL;
    UINT64 walks = last ? last->read_misses : d->read_misses + d->write_misses + i->read_misses;
    struct report *r = report_new("%s, %.3f%% miss the data TLB, %s", counted(d->reads + d->writes, "data access"),
                                  percent(d->read_misses + d->write_misses, d->reads + d->writes), counted(walks, "page walk"));
    report_hidden_number(r, "data_accesses", d->reads + d->writes);
    report_hidden_number(r, "page_walks", walks);
    struct table *t = report_table(r, "levels", "level:t entries:n ways:n page:n accesses:n misses:n miss_rate:f");
    static const char *const names[] = { "ITLB", "DTLB", "STLB" };
    for (enum level l = L1I; l <= L2; l++) {
        struct level_counts *c = &model_counts[l];
        if (is_there[l])
            table_row(t, names[l], shapes[l].size / shapes[l].line, (UINT64)shapes[l].ways, (UINT64)shapes[l].line, c->reads + c->writes,
                      c->read_misses + c->write_misses, percent(c->read_misses + c->write_misses, c->reads + c->writes));
    }
    table_show_all(t);
    access_tables(r, "accesses:n misses:n share:% walks:n", SITE_L1);
    report_write(r);
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v) { model_clear(); }

/* Other threads' writes take no translations away: no coherence. */
static VOID data(UINT32 thread, ADDRINT at, UINT32 size, bool is_write, struct site *s) { model_data(thread, at, size, false, s); }

static VOID batch(UINT32 thread, const struct access *from, const struct access *end) { model_batch(thread, from, end, false); }

int main(int argc, char **argv)
{
    static struct access_watch watch = { .fetch = model_fetch, .data = data, .batch = batch, .easy_fetch = AFUNPTR(model_easy_fetch),
                                         .easy_data = AFUNPTR(model_easy_read) };
    tool_begin(argc, argv, report);
    watch.code_line = read_page();
    read_shape(L1I, "itlb", itlb, watch.code_line);
    read_shape(L1D, "dtlb", dtlb, watch.code_line);
    read_shape(L2, "stlb", stlb, watch.code_line);
    if (!is_there[L1I] || !is_there[L1D])
        tool_fail("the first level cannot be left out");
    model_begin(shapes, is_there, MAX_CORES);
    watch.has_sure_fetches = shapes[L1I].policy != CACHE_SRRIP;         /* there the second use of a line matters */
    access_begin(&watch);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
