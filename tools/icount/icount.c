/* icount: how many instructions the program executes: in all, per thread, with -images per image.
 *
 * Shows: a call per basic block with a constant argument, and a counter per thread that is one variable of the tool: each
 * block that runs costs one add. Repeated string instructions count once per iteration, and a block that is left by a fault or a signal
 * counts up to there, as a single-stepping debugger sees them. */
#include "tool.h"
TOOL_ABOUT("instructions executed: in all, per thread, per image");
KNOB_FLAG(per_image, "images", "per image too (a counter for each block: slower)");

static __thread UINT64 count;
static VOID count_block(UINT32 n) { count += n; }

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        BBL_InsertCall(bbl, IPOINT_ANYWHERE, AFUNPTR(count_block), IARG_UINT32, BBL_NumIns(bbl), IARG_END);
        left_note(trace, bbl, (VOID *)(ADDRINT)BBL_NumIns(bbl));
    }
}

static VOID not_executed(VOID *owner, UINT32 first) { count -= (UINT32)(ADDRINT)owner - first; }

static VOID start(struct thread_record *t) { t->data = &count; }
static VOID finish(struct thread_record *t) { t->instructions = *(UINT64 *)t->data; }
static VOID restart(struct thread_record *t) { count = 0; }

static VOID add_images(struct report *r)
{
    struct table *images = report_table(r, "images", "image:t instructions:n share:%");
    places_clear_counts();
    for (UINT32 i = 0; i < blocks_count(); i++)
        block_number(i)->routine->image->count += block_instructions(block_number(i));
    for (struct image *m = images_first(); m; m = m->next)
        if (m->count)
            table_row(images, m->path, m->count);
    table_sort(images, 1);
}

static VOID report(VOID)
{
    UINT64 sum = 0;
    for (struct thread_record *t = threads_first(); t; t = t->next)
        sum += t->instructions;
    struct report *r = report_new("%s", counted(sum, "instruction"));
    report_hidden_number(r, "instructions", sum);
    struct table *threads = report_table(r, "threads", "thread:d tid:d instructions:n share:%");
    for (struct thread_record *t = threads_first(); t; t = t->next)
        table_row(threads, (UINT64)t->number, (UINT64)t->os_tid, t->instructions);
    table_only_if_several(threads);
    if (per_image)
        add_images(r);
    report_write(r);
}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    tool_begin(argc, argv, report);
    if (per_image) {
        blocks_count_all(NULL);
    } else {
        threads_hook(&hooks);
        left_begin(not_executed);
        TRACE_AddInstrumentFunction(instrument, 0);
    }
    PIN_StartProgram();
}
