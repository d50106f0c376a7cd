/* hotloops: the loops the program spends its instructions in: how often each was entered, how often it went round. A loop's
 * instructions include those of loops inside of it, not those of routines it calls.
 *
 * What is counted are blocks and the ways out of them; graph.h finds the loops in what was seen. */
#include "tool.h"
#include "edge.h"
#include "graph.h"
TOOL_ABOUT("loops by instructions executed: entries, iterations, place");

/* How a block ends, and where its instructions begin. */
struct tail { ADDRINT from, target, next; UINT32 taken; enum { JUMP, CONDITIONAL, INDIRECT, ON, OUT } kind; UINT16 offset[]; };

static struct tail *tail_of(BBL bbl)
{
    INS ins = BBL_InsTail(bbl);
    struct tail *t = need(sizeof *t + BBL_NumIns(bbl) * sizeof t->offset[0]);
    UINT32 n = 0;
    for (INS i = BBL_InsHead(bbl); INS_Valid(i); i = INS_Next(i))
        t->offset[n++] = (UINT16)(INS_Address(i) - BBL_Address(bbl));
    t->from = INS_Address(ins);
    t->next = INS_NextAddress(ins);
    t->target = INS_IsDirectBranch(ins) ? INS_DirectControlFlowTargetAddress(ins) : 0;
    t->kind = INS_IsRet(ins) ? OUT : !INS_IsBranch(ins) ? ON : !t->target ? INDIRECT : INS_HasFallThrough(ins) ? CONDITIONAL : JUMP;
    t->taken = t->kind == CONDITIONAL ? counter_new(1) : 0;
    return t;
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        INS ins = BBL_InsTail(bbl);
        struct block *b = block_count(trace, bbl);
        struct tail *t = b->data ? b->data : (b->data = tail_of(bbl));
        if (t->kind == CONDITIONAL)
            INS_InsertCall(ins, IPOINT_TAKEN_BRANCH, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(t->taken), IARG_END);
        else if (t->kind == INDIRECT)
            edges_watch(ins);
    }
}

/* ---- the graph of a routine ---- */
struct blocks { VEC(struct block *) v; };
static struct blocks *by_routine;
static struct { struct map index; VEC(struct edge) v; } indirect;       /* by source: position of its first + 1; sorted */

static int by_address(const VOID *a, const VOID *b)
{
    const struct block *p = *(struct block *const *)a, *q = *(struct block *const *)b;
    return (p->address > q->address) - (p->address < q->address);
}

static VOID lead_to(struct graph *g, UINT32 from, ADDRINT to, UINT64 count)
{
    if (count && map_get(&g->by_address, to))
        graph_edge(g, from, graph_node(g, to), count);
}

static VOID add_way_out(struct graph *g, const struct block *b, UINT32 from)
{
    const struct tail *t = b->data;
    UINT64 n = block_completions(b), taken = t->kind == CONDITIONAL ? counter_total(t->taken) : n;
    if (t->kind == JUMP || t->kind == CONDITIONAL)
        lead_to(g, from, t->target, taken);
    if (t->kind == ON || t->kind == CONDITIONAL)
        lead_to(g, from, t->next, t->kind == ON ? n : n - taken);
    for (size_t i = t->kind == INDIRECT ? map_get(&indirect.index, t->from) : 0; i && i <= indirect.v.n && indirect.v.at[i - 1].from == t->from; i++)
        lead_to(g, from, indirect.v.at[i - 1].to, indirect.v.at[i - 1].count);
}

/* What a block executed between the node's address and another. */
static VOID add_to_node(struct graph *g, UINT32 node, const struct block *b, ADDRINT to)
{
    const struct tail *t = b->data;
    struct node *n = &g->nodes.at[node];
    for (UINT32 i = 0; i < b->n_ins; i++)
        if (b->address + t->offset[i] >= n->address && b->address + t->offset[i] < to)
            n->instructions += block_executions_of(b, i);
    n->executions += block_executions(b);
}

/* Blocks overlap where code is entered in the middle: a node ends where the next one begins. An execution of a block is one of
 * each node in it. */
static VOID make_graph(struct graph *g, const struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->v.n; i++)
        graph_node(g, blocks->v.at[i]->address);
    for (size_t i = 0; i < blocks->v.n; i++) {
        struct block *b = blocks->v.at[i];
        ADDRINT end = b->address + b->size;
        UINT32 node = graph_node(g, b->address);
        for (size_t k = i + 1; k < blocks->v.n && blocks->v.at[k]->address < end; k++) {
            UINT32 next = graph_node(g, blocks->v.at[k]->address);
            if (next == node)
                continue;
            graph_edge(g, node, next, block_executions(b));
            add_to_node(g, node, b, blocks->v.at[k]->address);
            node = next;
        }
        add_to_node(g, node, b, end);
        add_way_out(g, b, node);
    }
}

/* ---- report ---- */
static UINT64 depth_of(const struct loops *loops, const struct loop *l)
{
    UINT64 depth = 0;
    for (size_t i = 0; i < loops->v.n; i++)
        for (size_t k = 0; k < loops->v.at[i].body.n; k++)
            depth += loops->v.at[i].body.at[k] == l->head;
    return depth;
}

static UINT64 report_routine(struct table *t, const struct blocks *blocks)
{
    struct graph g = { 0 };
    struct loops loops = { 0 };
    make_graph(&g, blocks);
    graph_find_loops(&g, &loops);
    for (size_t i = 0; i < loops.v.n; i++) {
        struct loop *l = &loops.v.at[i];
        UINT64 instructions = 0, n = g.nodes.at[l->head].executions;
        for (size_t k = 0; k < l->body.n; k++)
            instructions += g.nodes.at[l->body.at[k]].instructions;
        UINT64 entries = n > l->back ? n - l->back : 1;
        table_row(t, instructions, entries, n, (double)n / (double)entries, depth_of(&loops, l), g.nodes.at[l->head].address,
                  place_text(g.nodes.at[l->head].address));
    }
    UINT64 found = loops.v.n;
    for (size_t i = 0; i < loops.v.n; i++)
        free(loops.v.at[i].body.at);
    free(loops.v.at);
    graph_free(&g);
    return found;
}

static int by_source(const VOID *a, const VOID *b)
{
    const struct edge *p = a, *q = b;
    return (p->from > q->from) - (p->from < q->from);
}

static VOID sort_blocks(VOID)
{
    by_routine = need((routines_count() + 1) * sizeof *by_routine);
    for (UINT32 i = 0; i < blocks_count(); i++)
        if (block_executions(block_number(i)))
            VEC_ADD(by_routine[block_number(i)->routine->number].v, block_number(i));
    for (UINT32 i = 0; i < routines_count(); i++)
        if (by_routine[i].v.n)
            qsort(by_routine[i].v.at, by_routine[i].v.n, sizeof *by_routine[i].v.at, by_address);
    indirect.v.n = 0;
    map_clear(&indirect.index);
    for EDGES_EACH(edges_seen(), x)
        VEC_ADD(indirect.v, *x);
    if (indirect.v.n)
        qsort(indirect.v.at, indirect.v.n, sizeof *indirect.v.at, by_source);
    for (size_t i = indirect.v.n; i-- > 0;)
        *map_at(&indirect.index, indirect.v.at[i].from) = i + 1;
}

static VOID report(VOID)
{
    UINT64 total = blocks_instructions_total(), n = 0;
    struct report *r = report_new("loops by instructions, of %s in all", commas(total));
    report_hidden_number(r, "instructions", total);
    struct table *t = report_table(r, "loops", "instructions:n share:% entries:n iterations:n per_entry:f depth:n head:x place:t");
    table_whole(t, 0, total);
    sort_blocks();
    for (UINT32 i = 0; i < routines_count(); i++) {
        if (by_routine[i].v.n)
            n += report_routine(t, &by_routine[i]);
        free(by_routine[i].v.at);
    }
    free(by_routine);
    table_sort(t, 0);
    report_hidden_number(r, "n_loops", n);
    report_write(r);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    edges_begin();
    blocks_begin();
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
