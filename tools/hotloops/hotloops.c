/* hotloops: the loops the program spends its instructions in: how often each was entered, how often it went round.
 *
 * A loop is found by a branch that goes backwards within a routine: it reaches from the branch's target to the branch. Several
 * such branches with the same target are one loop. Its instructions are those of all blocks in between, loops inside of it
 * included, routines it calls not. */
#include "tool.h"
TOOL_ABOUT("loops by instructions executed: entries, iterations, place");

struct branch { ADDRINT from, target, end; UINT32 taken; bool is_conditional; };

static bool is_backward(INS tail, const struct block *b)
{
    if (!INS_IsDirectBranch(tail) || INS_DirectControlFlowTargetAddress(tail) > INS_Address(tail))
        return false;
    return place_routine(INS_DirectControlFlowTargetAddress(tail)) == b->routine;
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        INS tail = BBL_InsTail(bbl);
        struct block *b = block_for(bbl);
        struct branch *j = b->data;
        if (!j && is_backward(tail, b)) {
            j = b->data = need(sizeof *j);
            *j = (struct branch){ INS_Address(tail), INS_DirectControlFlowTargetAddress(tail), INS_NextAddress(tail), 0, INS_HasFallThrough(tail) };
            j->taken = j->is_conditional ? counter_new(1) : b->counter;
        }
        BBL_InsertCall(bbl, IPOINT_ANYWHERE, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(b->counter), IARG_END);
        if (j && j->is_conditional)
            INS_InsertCall(tail, IPOINT_TAKEN_BRANCH, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(j->taken), IARG_END);
    }
}

/* ---- report ---- */
struct loop { ADDRINT head, end; struct routine *routine; UINT64 back, head_executions, instructions; UINT32 depth; };
static VEC(struct loop) loops;

static struct loop *loop_at(struct map *index, const struct block *b, const struct branch *j)
{
    UINT64 *at = map_at(index, j->target);
    if (!*at) {
        VEC_ADD(loops, ((struct loop){ .head = j->target, .end = j->end, .routine = b->routine }));
        *at = loops.n;
    }
    struct loop *l = &loops.at[*at - 1];
    l->end = j->end > l->end ? j->end : l->end;
    return l;
}

static VOID find_loops(VOID)
{
    struct map index = { 0 };
    loops.n = 0;
    for (UINT32 i = 0; i < blocks_count(); i++) {
        const struct block *b = block_number(i);
        const struct branch *j = b->data;
        UINT64 n = j ? counter_total(j->taken) : 0;
        if (n)
            loop_at(&index, b, j)->back += n;
    }
    map_clear(&index);
}

static int by_routine(const VOID *a, const VOID *b)
{
    const struct loop *p = a, *q = b;
    return p->routine != q->routine ? (p->routine->number > q->routine->number) - (p->routine->number < q->routine->number)
                                    : (p->head > q->head) - (p->head < q->head);
}

/* Loops of one routine stand together: a block is looked up among those of its own. */
static VOID add_blocks(VOID)
{
    UINT32 *first = need((routines_count() + 1) * sizeof *first);
    if (loops.n)
        qsort(loops.at, loops.n, sizeof *loops.at, by_routine);
    for (size_t i = loops.n; i-- > 0;)
        first[loops.at[i].routine->number] = (UINT32)i + 1;
    for (UINT32 i = 0; i < blocks_count(); i++) {
        const struct block *b = block_number(i);
        UINT64 n = block_executions(b);
        for (size_t k = first[b->routine->number]; n && k && k <= loops.n && loops.at[k - 1].routine == b->routine; k++) {
            struct loop *l = &loops.at[k - 1];
            if (b->address >= l->head && b->address < l->end)
                l->instructions += n * b->n_ins;
            if (b->address <= l->head && l->head < b->address + b->size)
                l->head_executions += n;
        }
    }
    free(first);
}

static VOID find_depths(VOID)
{
    for (size_t i = 0; i < loops.n; i++) {
        loops.at[i].depth = 1;
        for (size_t k = i; k-- > 0 && loops.at[k].routine == loops.at[i].routine;)
            loops.at[i].depth += loops.at[k].head <= loops.at[i].head && loops.at[k].end >= loops.at[i].end;
    }
}

static VOID report(VOID)
{
    UINT64 total = blocks_instructions_total();
    find_loops();
    add_blocks();
    find_depths();
    struct report *r = report_new("%s loops in %s instructions", commas(loops.n), commas(total));
    report_hidden_number(r, "instructions", total);
    struct table *t = report_table(r, "loops", "instructions:n share:% entries:n iterations:n per_entry:f depth:n head:x place:t");
    table_whole(t, 0, total);
    for (size_t i = 0; i < loops.n; i++) {
        const struct loop *l = &loops.at[i];
        UINT64 entries = l->head_executions > l->back ? l->head_executions - l->back : 1, rounds = entries + l->back;
        table_row(t, l->instructions, entries, rounds, (double)rounds / (double)entries, (UINT64)l->depth, l->head, place_text(l->head));
    }
    table_sort(t, 0);
    report_write(r);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    counters_begin();
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
