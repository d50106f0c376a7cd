/* edge.h: how often control went from one address to another, for jumps whose targets are found while they run: a table for
 * each thread, added up when it ends. */
#ifndef TOOLS_EDGE_H
#define TOOLS_EDGE_H

struct edge { ADDRINT from, to; UINT64 count; };
struct edges { struct edge *at; UINT64 n, mask; };      /* open addressing: slots with count 0 are free */
VOID edges_add(struct edges *e, ADDRINT from, ADDRINT to, UINT64 count);
VOID edges_free(struct edges *e);
#define EDGES_EACH(e, x) (struct edge *x = (e)->at; x && x <= (e)->at + (e)->mask; x++) if (x->count)

VOID edges_begin(VOID);                         /* in main() */
VOID edges_watch(INS ins);                      /* in a callback: count where this indirect jump, call or return goes */
const struct edges *edges_seen(VOID);           /* in the report */
#endif
