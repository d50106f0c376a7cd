/* graph.h: the control flow of one routine as it was seen, and its natural loops.
 *
 * A node is a piece of straight code. An edge back to a node that every way to the edge's source passes is a loop's; the loop
 * is that node (its head) and all that can reach the edge without passing it again. */
#ifndef HOTLOOPS_GRAPH_H
#define HOTLOOPS_GRAPH_H

struct way { UINT32 node; UINT64 count; };
struct node {
    ADDRINT address, end;
    UINT64 executions, instructions;
    VEC(UINT32) out;
    VEC(struct way) in;
    UINT32 order, dominator;                    /* the graph's own */
};
struct graph { VEC(struct node) nodes; struct map by_address; };
struct loop { UINT32 head; VEC(UINT32) body; UINT64 back; };     /* back: how often it went round */
struct loops { VEC(struct loop) v; };

UINT32 graph_node(struct graph *g, ADDRINT a);  /* made when missing */
VOID graph_edge(struct graph *g, UINT32 from, UINT32 to, UINT64 count);        /* adds to the count of one that is there */
/* Node 0 is the entry; nodes that nothing leads to are entries too. */
VOID graph_find_loops(struct graph *g, struct loops *loops);
VOID graph_free(struct graph *g);
#endif
