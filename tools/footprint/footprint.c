/* footprint: how much memory the program touches, and how much of it within each stretch of time (the working set).
 *
 * Time is counted in instructions of all threads. A page or line counts once per interval, for code, reads and writes. */
#include "tool.h"
#include "access.h"
#include "html.h"

TOOL_ABOUT("memory touched, in all and over time: the working set");
KNOB_NUMBER(interval, "interval", 100000, "instructions of an interval");
KNOB_NUMBER(unit, "unit", 4096, "bytes that are touched as one: 4096 for pages, 64 for lines");

enum kind { CODE, READ, WRITE, KINDS };
static const char *const kind_names[KINDS] = { "code", "read", "written" };
enum { ANY = KINDS };                           /* slot of what is touched in any way */

struct row { UINT64 instructions, touched, fresh, total, kind[KINDS]; };
static VEC(struct row) rows;
static struct row now;                          /* the interval that runs */
static UINT64 seen[KINDS + 1];                  /* units ever touched that way */
static struct map units;                        /* unit + 1 -> its record */
struct unit { UINT64 in[KINDS + 1]; };          /* number of the interval of its last touch, from 1; 0: never */
static UINT64 executed;

static VOID touch_as(struct unit *u, int how, UINT64 *in_interval)
{
    seen[how] += !u->in[how];
    *in_interval += u->in[how] != rows.n + 1;
    u->in[how] = rows.n + 1;
}

/* What was touched not long ago is found without the map. */
enum { RECENT = 1 << 10 };
static struct { UINT64 number; struct unit *unit; } recent[RECENT];

static inline struct unit *unit_of(UINT64 number)
{
    UINT64 i = number % RECENT;
    if (recent[i].unit && recent[i].number == number)
        return recent[i].unit;
    UINT64 *slot = map_at(&units, number + 1);
    if (!*slot)
        *slot = (UINT64)need(sizeof(struct unit));
    recent[i].number = number;
    return recent[i].unit = (struct unit *)*slot;
}

static VOID touch(UINT64 number, enum kind kind)
{
    struct unit *u = unit_of(number);
    if (u->in[kind] == rows.n + 1)
        return;
    now.fresh += !u->in[ANY];
    touch_as(u, ANY, &now.touched);
    touch_as(u, kind, &now.kind[kind]);
}

static VOID close_interval(VOID)
{
    now.instructions = executed;
    now.total = seen[ANY];
    VEC_ADD(rows, now);
    now = (struct row){ 0 };
}

/* ---- what access.c hands over; no two at a time ---- */
static VOID data(UINT32 thread, ADDRINT at, UINT32 size, bool is_write, struct site *s)
{
    for (UINT64 n = at / (UINT64)unit; n <= (at + size - 1) / (UINT64)unit; n++)
        touch(n, is_write ? WRITE : READ);
}

static VOID fetch(UINT32 thread, ADDRINT at, struct site *s)
{
    executed += s->n_ins;
    while (executed >= (rows.n + 1) * (UINT64)interval)
        close_interval();
    touch(at / (UINT64)unit, CODE);
}

ACCESS_BATCH(batch, fetch, data)

/* Touched that way in this interval already: nothing to do. */
static bool is_known(ADDRINT at, UINT32 size, enum kind kind)
{
    UINT64 number = at / (UINT64)unit;
    const struct unit *u = (const struct unit *)map_get(&units, number + 1);
    return number == (at + size - 1) / (UINT64)unit && u && u->in[kind] == rows.n + 1;
}

static ADDRINT easy_data(ADDRINT at, UINT32 size, BOOL is_write, struct site *s)
{
    if (!access_try())
        return 1;
    bool known = is_known(at, size, is_write ? WRITE : READ);
    access_leave();
    return !known;
}

static ADDRINT easy_fetch(ADDRINT at, struct site *s)
{
    if (!access_try())
        return 1;
    bool known = executed + s->n_ins < (rows.n + 1) * (UINT64)interval && is_known(at, 1, CODE);
    executed += known ? s->n_ins : 0;
    access_leave();
    return !known;
}

/* ---- report ---- */
static VOID report(VOID)
{
    if (now.touched)
        close_interval();
    UINT64 most = 0, sum = 0;
    for (size_t i = 0; i < rows.n; i++) {
        most = rows.at[i].touched > most ? rows.at[i].touched : most;
        sum += rows.at[i].touched;
    }
    struct report *r = report_new("%s of %ld bytes touched: %s KB", counted(seen[ANY], "unit"), unit, commas(seen[ANY] * (UINT64)unit / 1024));
    report_hidden_number(r, "units", seen[ANY]);
    report_hidden_number(r, "unit_bytes", (UINT64)unit);
    for (int k = 0; k < KINDS; k++)
        report_number(r, kind_names[k], seen[k]);
    report_number(r, "largest_working_set", most);
    report_real(r, "average_working_set", rows.n ? (double)sum / (double)rows.n : 0);
    struct table *t = report_table(r, "intervals", "until_instruction:n touched:n new:n total:n code:n read:n written:n");
    for (size_t i = 0; i < rows.n; i++) {
        struct row *w = &rows.at[i];
        table_row(t, w->instructions, w->touched, w->fresh, w->total, w->kind[CODE], w->kind[READ], w->kind[WRITE]);
    }
    html_lines("Working set: units touched per interval", "intervals", "until_instruction", "touched code read written");
    html_lines("Footprint: units touched so far", "intervals", "until_instruction", "total");
    html_write(r);
    report_write(r);
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    map_clear(&units);
    memset(recent, 0, sizeof recent);
    rows.n = 0;
    now = (struct row){ 0 };
    executed = 0;
    memset(seen, 0, sizeof seen);
}

int main(int argc, char **argv)
{
    static struct access_watch watch = { .fetch = fetch, .data = data, .batch = batch, .easy_fetch = AFUNPTR(easy_fetch), .easy_data = AFUNPTR(easy_data) };
    tool_begin(argc, argv, report);
    if (unit < 1 || unit > 1 << 30 || unit & (unit - 1))
        tool_fail("-unit %ld: not a power of two up to 1 GB", unit);
    if (interval < 1)
        tool_fail("-interval %ld: give at least 1", interval);
    watch.code_line = (UINT32)unit;
    access_begin(&watch);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
