/* model.c: see model.h. */
#include "tool.h"
#include "access.h"
#include "cache.h"
#include "model.h"

const char *const level_names[LEVELS] = { "L1I", "L1D", "L2", "L3" };
struct level_counts model_counts[LEVELS];
static struct cache *caches[LEVELS][MAX_CORES]; /* L3: all cores have the same one */
static struct cache_shape shapes[LEVELS];
static bool there[LEVELS];
static UINT32 n_cores, n_used;
static struct map taken;                        /* line -> cores that lost it to another core's write and have not missed it since */

VOID model_clear(VOID) { memset(model_counts, 0, sizeof model_counts); }

VOID model_begin(const struct cache_shape s[LEVELS], const bool is_there[LEVELS], UINT32 cores)
{
    memcpy(shapes, s, sizeof shapes);
    memcpy(there, is_there, sizeof there);
    n_cores = cores;
}

static VOID use_core(UINT32 core)
{
    if (caches[L1D][core])
        return;
    for (enum level l = L1I; l <= L2; l++)
        if (there[l])
            caches[l][core] = cache_new(&shapes[l]);
    if (there[L3])
        caches[L3][core] = caches[L3][0] ? caches[L3][0] : cache_new(&shapes[L3]);
    if (core >= n_used)
        n_used = core + 1;
}

/* ---- coherence: in units of L1D lines ---- */
static VOID take_from_others(UINT32 core, UINT64 line)
{
    for (UINT32 k = 0; k < n_used; k++) {
        if (k == core || !caches[L1D][k])
            continue;
        bool had = cache_drop(caches[L1D][k], line);
        if (there[L2])
            had |= cache_drop(caches[L2][k], (line << caches[L1D][k]->line_bits) >> caches[L2][k]->line_bits);
        if (had)
            *map_at(&taken, line + 1) |= 1ul << k;
    }
}

static bool was_taken(UINT32 core, UINT64 line)
{
    UINT64 cores = n_used > 1 ? map_get(&taken, line + 1) : 0;
    if (!(cores >> core & 1))
        return false;
    *map_at(&taken, line + 1) &= ~(1ul << core);
    return true;
}

/* ---- one line through the levels; the deepest level that missed is the result ---- */
static enum level next_level(enum level l)
{
    l = l < L2 ? L2 : l + 1;
    while (l < LEVELS && !there[l])
        l++;
    return l;
}

static VOID write_back(UINT32 core, enum level from, UINT64 line)
{
    enum level to = next_level(from);
    model_counts[from].write_backs++;
    if (to < LEVELS)
        cache_dirty(caches[to][core], (line << caches[from][core]->line_bits) >> caches[to][core]->line_bits);
}

/* What came of the access to the first level is known. Writes count as such there only; deeper ones are asked for the line. */
static enum level go_on(UINT32 core, enum level first, ADDRINT at, bool is_write, struct cache_out out, bool *coherence)
{
    enum level missed = LEVELS;
    for (enum level l = first; l < LEVELS; l = next_level(l)) {
        struct cache *c = caches[l][core];
        bool writes = is_write && l == first;
        if (l != first)
            out = cache_access(c, at >> c->line_bits, false);
        *(writes ? &model_counts[l].writes : &model_counts[l].reads) += 1;
        if (out.is_hit)
            break;
        missed = l;
        *(writes ? &model_counts[l].write_misses : &model_counts[l].read_misses) += 1;
        if (out.was_dirty)
            write_back(core, l, out.line);
        if (l == L1D && was_taken(core, at >> c->line_bits)) {
            model_counts[l].coherence++;
            *coherence = true;
        }
    }
    return missed;
}

static enum level go_through(UINT32 core, enum level first, ADDRINT at, bool is_write, bool *coherence)
{
    struct cache *c = caches[first][core];
    return go_on(core, first, at, is_write, cache_access(c, at >> c->line_bits, is_write), coherence);
}

static VOID note(struct site *s, enum level deepest, bool coherence)
{
    s->count[SITE_ACCESSES]++;
    s->count[SITE_L1] += deepest < LEVELS;
    s->count[SITE_L2] += deepest == L2 || deepest == L3;
    s->count[SITE_L3] += deepest == L3;
    s->count[SITE_COHERENCE] += coherence;
}

/* The common case: a hit in the first level that concerns nobody else. */
static bool is_easy(UINT32 core, enum level first, ADDRINT at, UINT32 size, bool is_write, struct site *s)
{
    struct cache *c = caches[first][core];
    if (!c || (is_write && n_used > 1) || (at ^ (at + size - 1)) >> c->line_bits || !cache_hit(c, at >> c->line_bits, is_write))
        return false;
    *(is_write ? &model_counts[first].writes : &model_counts[first].reads) += 1;
    s->count[SITE_ACCESSES]++;
    return true;
}

static UINT32 core_of(UINT32 thread) { return thread < n_cores ? thread : thread % n_cores; }

VOID model_fetch(UINT32 thread, ADDRINT at, struct site *site)
{
    UINT32 core = core_of(thread);
    bool coherence = false;
    if (is_easy(core, L1I, at, 1, false, site))
        return;
    use_core(core);
    note(site, go_through(core, L1I, at, false, &coherence), false);
}

static enum level deeper(enum level a, enum level b) { return a == LEVELS || (b != LEVELS && b > a) ? b : a; }

static VOID data(UINT32 core, ADDRINT at, UINT32 size, bool is_write, struct site *site)
{
    bool coherence = false;
    UINT32 bits = caches[L1D][core]->line_bits;
    enum level deepest = LEVELS;
    for (UINT64 line = at >> bits; line <= (at + size - 1) >> bits; line++) {
        if (is_write && n_used > 1)
            take_from_others(core, line);
        deepest = deeper(deepest, go_through(core, L1D, line << bits, is_write, &coherence));
    }
    note(site, deepest, coherence);
}

VOID model_data(UINT32 thread, ADDRINT at, UINT32 size, bool is_write, struct site *site)
{
    UINT32 core = core_of(thread);
    if (is_easy(core, L1D, at, size, is_write, site))
        return;
    use_core(core);
    data(core, at, size, is_write, site);
}

/* ---- many accesses of the only thread: nearly all change nothing but counts, which are kept at hand ---- */
VOID model_batch(UINT32 thread, const struct access *r, const struct access *end, bool has_writes)
{
    UINT32 core = core_of(thread);
    use_core(core);
    struct cache *code = caches[L1I][core], *near = caches[L1D][core];
    UINT64 fetches = 0, hits = 0, writes = 0;
    bool is_lru = near->shape.policy == CACHE_LRU, is_alone = n_used == 1;      /* else a write concerns others */
    for (; r < end; r++) {
        struct site *s = r->site;
        bool is_write = s->is_write && has_writes, coherence = false;
        UINT64 line = r->at >> near->line_bits;
        struct cache_out out;
        if (s->is_code && cache_settles(code, r->at >> code->line_bits, false)) {
            fetches++;
            s->count[SITE_ACCESSES]++;
        } else if (s->is_code) {
            model_fetch(thread, r->at, s);
        } else if ((!is_alone && is_write) || (r->at + s->size - 1) >> near->line_bits != line) {
            data(core, r->at, s->size, is_write, s);
        } else if (cache_settles(near, line, is_write) ||
                   (out = is_lru ? cache_access_lru(near, line, is_write) : cache_access(near, line, is_write)).is_hit) {
            hits++;
            writes += is_write;
            s->count[SITE_ACCESSES]++;
        } else {
            enum level deepest = go_on(core, L1D, r->at, is_write, out, &coherence);
            note(s, deepest, coherence);
        }
    }
    model_counts[L1I].reads += fetches;
    model_counts[L1D].reads += hits - writes;
    model_counts[L1D].writes += writes;
}

/* ---- the common case, when other threads may be at it too ---- */
static ADDRINT easy(enum level first, ADDRINT at, UINT32 size, bool is_write, struct site *s)
{
    if (!access_try())
        return 1;
    bool done = is_easy(core_of(thread_me->number), first, at, size, is_write, s);
    access_leave();
    return !done;
}

ADDRINT model_easy_fetch(ADDRINT at, struct site *s) { return easy(L1I, at, 1, false, s); }
ADDRINT model_easy_data(ADDRINT at, UINT32 size, BOOL is_write, struct site *s) { return easy(L1D, at, size, is_write, s); }
ADDRINT model_easy_read(ADDRINT at, UINT32 size, BOOL is_write, struct site *s) { return easy(L1D, at, size, false, s); }

/* ---- report ---- */
VOID model_finish(VOID) { model_counts[L1I].reads += access_sure(); }

VOID model_levels(struct report *r, bool has_coherence)
{
    struct table *t = report_table(r, "levels", has_coherence ? "level:t shape:t reads:n read_misses:n writes:n write_misses:n "
                                                                "miss_rate:f write_backs:n coherence_misses:n"
                                                              : "level:t shape:t reads:n read_misses:n writes:n write_misses:n "
                                                                "miss_rate:f");
    for (enum level l = L1I; l < LEVELS; l++) {
        struct level_counts *c = &model_counts[l];
        if (there[l])
            table_row(t, level_names[l], cache_shape_text(&shapes[l]), c->reads, c->read_misses, c->writes, c->write_misses,
                      percent(c->read_misses + c->write_misses, c->reads + c->writes), c->write_backs, c->coherence);
    }
    table_show_all(t);
}
