/* tree.h: the calling context tree of a thread: a node for each chain of calls that happened, with the instructions executed
 * there. A chain that is too long, or one chain too many, is charged to its last node that is in the tree. */
#ifndef CALLGRAPH_TREE_H
#define CALLGRAPH_TREE_H

struct node {
    UINT32 parent, first_child, next_sibling;   /* 0: none; node 0 is the root */
    struct routine *routine;                    /* NULL: the root */
    ADDRINT site;                               /* the call instruction */
    UINT64 self, calls, inclusive;              /* inclusive: after tree_sum */
    UINT32 depth;
};
struct tree {
    VEC(struct node) nodes;
    struct map index;
    UINT32 current;
    UINT64 charged;                             /* instructions charged to nodes so far */
    UINT64 n_cut;
};

VOID tree_init(struct tree *t);
UINT32 tree_child(struct tree *t, UINT32 parent, ADDRINT site, struct routine *r);
VOID tree_charge(struct tree *t, UINT64 instructions);          /* up to now, to the current node */
VOID tree_merge(struct tree *to, const struct tree *from);
VOID tree_clear(struct tree *t);                                /* costs, not nodes */
VOID tree_sum(struct tree *t);
#endif
