/* lines.c: see lines.h. A line's count is the largest of its instructions': parts of it may run more often than others. */
#include "tool.h"
#include "lines.h"

static struct source *sources, **sources_end = &sources;
static struct map by_path;                      /* by the path's address: place_line gives each path once */

struct source *sources_first(VOID) { return sources; }

static struct source *source_of(const char *path)
{
    UINT64 *known = map_at(&by_path, (UINT64)path);
    if (!*known) {
        struct source *s = need(sizeof *s);
        s->path = path;
        *sources_end = s;
        sources_end = &s->next;
        *known = (UINT64)s;
    }
    return (struct source *)*known;
}

static struct line *line_of(struct source *s, INT32 line)
{
    UINT64 *known = map_at(&s->by_line, (UINT64)line);
    if (!*known) {
        VEC_ADD(s->lines, ((struct line){ line, 0 }));
        *known = s->lines.n;
    }
    return &s->lines.at[*known - 1];
}

static VOID read_routine(RTN rtn)
{
    const char *file;
    INT32 line = place_line(RTN_Address(rtn), &file);
    if (line)
        VEC_ADD(source_of(file)->functions, ((struct function){ place_routine(RTN_Address(rtn))->name, line, RTN_Address(rtn), 0 }));
    RTN_Open(rtn);
    for (INS ins = RTN_InsHead(rtn); INS_Valid(ins); ins = INS_Next(ins)) {
        line = place_line(INS_Address(ins), &file);
        if (line)
            line_of(source_of(file), line);
    }
    RTN_Close(rtn);
}

VOID lines_read_image(IMG img)
{
    for (SEC sec = IMG_SecHead(img); SEC_Valid(sec); sec = SEC_Next(sec))
        for (RTN rtn = SEC_RtnHead(sec); SEC_IsExecutable(sec) && RTN_Valid(rtn); rtn = RTN_Next(rtn))
            read_routine(rtn);
}

VOID lines_clear(VOID)
{
    for (struct source *s = sources; s; s = s->next) {
        for (size_t i = 0; i < s->lines.n; i++)
            s->lines.at[i].count = 0;
        for (size_t i = 0; i < s->functions.n; i++)
            s->functions.at[i].calls = 0;
    }
}

/* ---- counting: blocks overlap, so executions of an address are summed up before lines take the largest ---- */
static struct map by_address;
static VEC(ADDRINT) addresses;

VOID lines_count_block(const struct block *b, const UINT8 *sizes)
{
    ADDRINT a = b->address;
    for (UINT32 i = 0; i < b->n_ins; a += sizes[i++]) {
        UINT64 *n = map_at(&by_address, a);
        if (!*n)
            VEC_ADD(addresses, a);
        *n += block_executions_of(b, i);
    }
}

static VOID settle(VOID)
{
    for (size_t i = 0; i < addresses.n; i++) {
        const char *file;
        UINT64 n = map_get(&by_address, addresses.at[i]);
        INT32 line = place_line(addresses.at[i], &file);
        struct line *l = line ? line_of(source_of(file), line) : NULL;
        if (l && n > l->count)
            l->count = n;
    }
    for (struct source *s = sources; s; s = s->next)
        for (size_t i = 0; i < s->functions.n; i++)
            s->functions.at[i].calls = map_get(&by_address, s->functions.at[i].address);
    map_clear(&by_address);
    addresses.n = 0;
}

/* ---- lcov ---- */
static int by_line(const VOID *a, const VOID *b) { return ((const struct line *)a)->line - ((const struct line *)b)->line; }

static VOID write_source(FILE *f, const struct source *s)
{
    size_t hit = 0;
    fprintf(f, "TN:\nSF:%s\n", s->path);
    for (size_t i = 0; i < s->functions.n; i++)
        fprintf(f, "FN:%d,%s\n", s->functions.at[i].line, s->functions.at[i].name);
    for (size_t i = 0; i < s->functions.n; i++) {
        fprintf(f, "FNDA:%lu,%s\n", s->functions.at[i].calls, s->functions.at[i].name);
        hit += s->functions.at[i].calls > 0;
    }
    fprintf(f, "FNF:%zu\nFNH:%zu\n", s->functions.n, hit);
    hit = 0;
    for (size_t i = 0; i < s->lines.n; i++) {
        fprintf(f, "DA:%d,%lu\n", s->lines.at[i].line, s->lines.at[i].count);
        hit += s->lines.at[i].count > 0;
    }
    fprintf(f, "LF:%zu\nLH:%zu\nend_of_record\n", s->lines.n, hit);
}

/* Sorting moves lines: their numbers in the index are made anew. */
static VOID sort_lines(struct source *s)
{
    if (s->lines.n)
        qsort(s->lines.at, s->lines.n, sizeof *s->lines.at, by_line);
    for (size_t i = 0; i < s->lines.n; i++)
        *map_at(&s->by_line, (UINT64)s->lines.at[i].line) = i + 1;
}

VOID lines_settle(VOID)
{
    settle();
    for (struct source *s = sources; s; s = s->next)
        sort_lines(s);
}

VOID lcov_write(FILE *f, bool (*wants)(const char *path))
{
    for (struct source *s = sources; s; s = s->next)
        if (wants(s->path))
            write_source(f, s);
}
