/* bbv: basic block vectors for SimPoint: for each interval of a thread's instructions, how many of them each block had.
 *
 *     T:1:4 :2:12 ...        block 1 had 4 instructions of the interval, block 2 had 12
 *
 * One file for each thread: FILE, FILE.1, ...; FILE.blocks says which block has which number. An interval ends with the
 * first block that reaches its length; the last one is what was left. With -json a vector is an object, and so is a block. */
#include "tool.h"
#include "progress.h"
#include "trace.h"
TOOL_ABOUT("basic block vectors for SimPoint, for each interval of each thread");
KNOB_NUMBER(interval, "interval", 100000000, "instructions in an interval");

static __thread INT64 left;
static UINT64 n_vectors, n_instructions;

/* ---- analysis ---- */
static ADDRINT reaches_end(INT64 n) { return (left -= n) < 0; }

/* How a vector begins, what each block adds, and how it ends: for SimPoint, and as JSON. */
struct style { const char *head, *block, *between, *tail; };
static const struct style simpoint = { "T", ":%u:%lu ", "", "\n" }, as_json = { "{\"blocks\": {", "\"%u\": %lu", ", ", "}}\n" };

static VOID write_vector(struct thread_record *t)
{
    const struct style *s = out_is_json() ? &as_json : &simpoint;
    FILE *f = NULL;
    for (UINT32 i = 0; i < counters_used(); i++) {
        UINT64 n = t->counters[i];
        if (!n)
            continue;
        const char *before = f ? s->between : s->head;
        f = trace_thread_file(t, ".bbv");
        fputs(before, f);
        fprintf(f, s->block, i + 1, n);
        t->counters[i] = 0;
        t->instructions += n;
    }
    if (f) {
        fputs(s->tail, f);
        n_vectors++;
    }
}

static VOID end_interval(VOID)
{
    PIN_LockClient();
    write_vector(thread_me);
    left = interval;
    PIN_UnlockClient();
    out_progress("bbv: %s vectors", commas(n_vectors));
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        struct block *b = block_for(bbl);
        left_note(trace, bbl, b);
        BBL_InsertIfCall(bbl, IPOINT_BEFORE, AFUNPTR(reaches_end), IARG_ADDRINT, (ADDRINT)b->n_ins, IARG_END);
        BBL_InsertThenCall(bbl, IPOINT_BEFORE, AFUNPTR(end_interval), IARG_END);
        BBL_InsertCall(bbl, IPOINT_BEFORE, AFUNPTR(counter_add), IARG_ADDRINT, counter_arg(b->counter), IARG_ADDRINT,
                       (ADDRINT)b->n_ins, IARG_END);
    }
}

static VOID not_executed(VOID *owner, UINT32 first)
{
    const struct block *b = owner;
    counters[b->counter] -= b->n_ins - first;   /* its begin ended the interval before, if it did */
    left += b->n_ins - first;
}

/* ---- threads ---- */
static VOID start(struct thread_record *t) { left = interval; }

/* Before counter.c collects the thread's counters. */
static VOID finish(struct thread_record *t)
{
    write_vector(t);
    n_instructions += t->instructions;
    t->instructions = 0;
}

static VOID restart(struct thread_record *t)
{
    left = interval;
    n_vectors = n_instructions = 0;
}

static VOID write_block(FILE *f, const struct block *b)
{
    struct json j = { f };
    if (!out_is_json()) {
        fprintf(f, "%u %lx %u %s\n", b->counter + 1, b->address, b->n_ins, place_text(b->address));
        return;
    }
    json_line(&j);
    json_number(&j, "block", b->counter + 1);
    json_address(&j, "address", b->address);
    json_number(&j, "length", b->n_ins);
    json_text(&j, "place", place_text(b->address));
    json_line_end(&j);
}

static VOID report(VOID)
{
    FILE *f = out_open_beside(out_is_file() ? ".blocks" : ".bbv.blocks");
    for (UINT32 i = 0; i < blocks_count(); i++)
        write_block(f, block_number(i));
    out_close(f);
    trace_close();
    fprintf(stderr, "bbv: %s of %s, %s\n", counted(n_vectors, "vector"), counted(blocks_count(), "block"), counted(n_instructions, "instruction"));
}

static VOID nothing(struct thread_record *t, const UINT8 *records, size_t bytes) {}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    tool_begin(argc, argv, report);
    if (interval < 1)
        tool_fail("-interval %ld: at least 1", interval);
    trace_begin(nothing);
    threads_hook(&hooks);
    counters_begin();
    left_begin(not_executed);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
