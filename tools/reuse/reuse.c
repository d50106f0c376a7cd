/* reuse: the histogram of reuse distances of the program's data, and what it means: the share of accesses that would miss in
 * a fully associative LRU cache of each size. Needs one run for all sizes. */
#include "tool.h"
#include "access.h"
#include "distance.h"
#include "html.h"

TOOL_ABOUT("reuse distances of data: a histogram, and misses for caches of every size");
KNOB_NUMBER(line_size, "line", 64, "bytes of a line");

enum { BUCKETS = 64 };                          /* bucket 0: distance 0; k: 2^(k-1) to 2^k - 1 */
static UINT64 bucket[BUCKETS], first_touches, touches;
static UINT32 line_bits;

static UINT32 bucket_of(UINT64 distance) { return distance ? 64 - (UINT32)__builtin_clzl(distance) : 0; }

/* count 0: touches; 1: those farther than what 32 KB hold, or new */
static VOID data(UINT32 thread, ADDRINT at, UINT32 size, bool is_write, struct site *s)
{
    for (UINT64 line = at >> line_bits; line <= (at + size - 1) >> line_bits; line++) {
        UINT64 d = distance_touch(line);
        touches++;
        s->count[0]++;
        s->count[1] += d >= (32ul << 10) >> line_bits;        /* DISTANCE_NEW, too */
        s->count[2] += d == DISTANCE_NEW;
        if (d == DISTANCE_NEW)
            first_touches++;
        else
            bucket[bucket_of(d)]++;
    }
}

static VOID fetch(UINT32 thread, ADDRINT at, struct site *s) {}
ACCESS_BATCH(batch, fetch, data)

/* Without vector registers, that is without much of the compiler's help: one line, touched not long ago. */
static ADDRINT easy(ADDRINT at, UINT32 size, BOOL is_write, struct site *s)
{
    UINT64 line = at >> line_bits;
    if (line != (at + size - 1) >> line_bits || !access_try())
        return 1;
    UINT64 d = distance_again(line);
    if (d != DISTANCE_NEW) {
        touches++;
        s->count[0]++;
        s->count[1] += d >= (32ul << 10) >> line_bits;
        bucket[bucket_of(d)]++;
    }
    access_leave();
    return d == DISTANCE_NEW;
}

static const char *size_text(UINT64 bytes)
{
    static __thread char text[32];
    const char *units[] = { "B", "KB", "MB", "GB", "TB" };
    int u = 0;
    while (bytes >= 1024 && bytes % 1024 == 0 && u < 4) {
        bytes /= 1024;
        u++;
    }
    snprintf(text, sizeof text, "%lu %s", bytes, units[u]);
    return text;
}

static VOID report(VOID)
{
    struct report *r = report_new("%s of %s of %ld bytes", counted(touches, "touch"), counted(distance_lines(), "line"), line_size);
    report_hidden_number(r, "touches", touches);
    report_number(r, "first_touches", first_touches);
    UINT32 last = 0;
    for (UINT32 b = 0; b < BUCKETS; b++)
        if (bucket[b])
            last = b;
    struct table *t = report_table(r, "histogram", "from:n to:n touches:n share:% cache:t misses:n miss_rate:f");
    table_whole(t, 2, touches);
    UINT64 hits = 0;
    for (UINT32 b = 0; b <= last; b++) {
        /* A cache of 2^b lines hits what is nearer than that. */
        hits += bucket[b];
        table_row(t, b ? 1ul << (b - 1) : 0, b ? (1ul << b) - 1 : 0, bucket[b], size_text((1ul << b) * (UINT64)line_size), touches - hits,
                  percent(touches - hits, touches));
    }
    table_show_all(t);
    access_tables(r, "touches:n farther_than_32_KB:n share:% first:n", 1);
    html_lines("Misses of an LRU cache by size in lines (power of two)", "histogram", "to", "miss_rate");
    html_write(r);
    report_write(r);
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    memset(bucket, 0, sizeof bucket);
    touches = first_touches = 0;
}

int main(int argc, char **argv)
{
    static struct access_watch watch = { .data = data, .batch = batch, .easy_data = AFUNPTR(easy) };
    tool_begin(argc, argv, report);
    if (line_size < 1 || line_size > 1 << 20 || line_size & (line_size - 1))
        tool_fail("-line %ld: not a power of two up to 1 MB", line_size);
    line_bits = (UINT32)__builtin_ctzl((UINT64)line_size);
    access_begin(&watch);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
