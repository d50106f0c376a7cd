/* callgraph: who calls whom, and what it costs, in instructions: each routine by itself and with all it called.
 *
 * Costs of lines and routines come from block counters; costs of calls from a tree of all chains of calls, kept by stack.h.
 * A recursive routine's inclusive cost counts its outermost calls only. */
#include "tool.h"
#include "formats.h"
#include "html.h"
#include "stack.h"
TOOL_ABOUT("call graph with costs: report, callgrind format, folded stacks, flame graph");
KNOB_TEXT(callgrind_file, "callgrind", "", "write callgrind's format to this file (%p: the pid)");
KNOB_TEXT(folded_file, "folded", "", "write folded stacks to this file");
KNOB_TEXT(flame_file, "svg", "", "write a flame graph to this file");

static __thread UINT64 executed;
static __thread struct tree tree;
static struct tree all;

struct thread_state { struct tree *tree; UINT64 *executed; };

/* ---- analysis ---- */
static VOID count(UINT32 n) { executed += n; }
static VOID not_executed(VOID *owner, UINT32 first) { executed -= ((struct block *)owner)->n_ins - first; }

static VOID enter(struct stack *s, struct frame *f)
{
    tree_charge(&tree, executed);
    f->value[0] = tree.current;
    tree.current = tree_child(&tree, tree.current, f->site, f->routine);
    tree.nodes.at[tree.current].calls++;
}

static VOID leave(struct stack *s, struct frame *f)
{
    tree_charge(&tree, executed);
    tree.current = (UINT32)f->value[0];
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        struct block *b = block_count(trace, bbl);
        if (!b->data)
            b->data = code_sizes(bbl);
        BBL_InsertCall(bbl, IPOINT_BEFORE, AFUNPTR(count), IARG_UINT32, b->n_ins, IARG_END);
        stack_instrument(bbl);
    }
}

/* ---- threads ---- */
static VOID start(struct thread_record *t)
{
    struct thread_state *s = t->data = need(sizeof *s);
    *s = (struct thread_state){ &tree, &executed };
    tree_init(&tree);
}

static VOID finish(struct thread_record *t)
{
    struct thread_state *s = t->data;
    tree_charge(s->tree, *s->executed);
    tree_merge(&all, s->tree);
    tree_clear(s->tree);
}

static VOID restart(struct thread_record *t)
{
    tree_clear(&tree);
    tree_clear(&all);
    tree.charged = executed;
}

/* ---- report ---- */
struct sum { UINT64 self, inclusive, calls; UINT32 active; };

/* A routine's inclusive cost is that of its nodes that have no node of the same routine above them. */
static VOID add_node(UINT32 i, struct sum *sums)
{
    const struct node *n = &all.nodes.at[i];
    struct sum *s = n->routine ? &sums[n->routine->number] : NULL;
    if (s) {
        s->calls += n->calls;
        s->self += n->self;
        s->inclusive += s->active ? 0 : n->inclusive;
        s->active++;
    }
    for (UINT32 c = n->first_child; c; c = all.nodes.at[c].next_sibling)
        add_node(c, sums);
    if (s)
        s->active--;
}

static VOID write_files(UINT64 total)
{
    static const struct { const char **name; VOID (*write)(FILE *, const struct tree *); } formats[] = {
        { &folded_file, folded_write }, { &flame_file, flame_write }
    };
    for (size_t i = 0; i < 2; i++)
        if (**formats[i].name) {
            FILE *f = COTTER_OpenReport(*formats[i].name);
            formats[i].write(f, &all);
            out_close(f);
        }
    if (*callgrind_file) {
        FILE *f = COTTER_OpenReport(callgrind_file);
        callgrind_write(f, &all, total);
        out_close(f);
    }
}

static VOID write_page(struct report *r)
{
    if (!html_wanted())
        return;
    struct table *t = report_table(r, "stacks", "stack:t instructions:n");
    table_only_json(t);
    stacks_add(t, &all);
    html_flame("Flame graph", "stacks", "stack", "instructions");
    html_bars("Routines by their own instructions", "routines", "routine", "self");
    html_write(r);
}

static VOID report(VOID)
{
    struct sum *sums = need((routines_count() + 1) * sizeof *sums);
    UINT64 total = blocks_instructions_total(), calls = 0;
    tree_sum(&all);
    add_node(0, sums);
    for (UINT32 i = 0; i < routines_count(); i++)
        calls += sums[i].calls;
    struct report *r = report_new("%s, %s", counted(total, "instruction"), counted(calls, "call"));
    report_hidden_number(r, "instructions", total);
    report_hidden_number(r, "calls", calls);
    struct table *t = report_table(r, "routines", "inclusive:n share:% self:n self_share:% calls:n routine:t image:t");
    table_whole(t, 0, total);
    table_whole(t, 2, total);
    for (struct routine *f = routines_first(); f; f = f->next)
        if (sums[f->number].calls || sums[f->number].self)
            table_row(t, sums[f->number].inclusive, sums[f->number].self, sums[f->number].calls, f->name, f->image->name);
    table_sort(t, 0);
    if (all.n_cut)
        report_note(r, "%s calls were too deep or too many for the tree: they are charged to their callers", commas(all.n_cut));
    write_files(total);
    write_page(r);
    report_write(r);
    free(sums);
}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    tool_begin(argc, argv, report);
    COTTER_CheckReport(callgrind_file);
    COTTER_CheckReport(folded_file);
    COTTER_CheckReport(flame_file);
    tree_init(&all);
    threads_hook(&hooks);
    stack_begin(enter, leave);
    blocks_begin();
    left_begin(not_executed);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
