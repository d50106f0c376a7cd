/* formats.h: the ways a call graph is written, besides the report. The tree is summed up. */
#ifndef CALLGRAPH_FORMATS_H
#define CALLGRAPH_FORMATS_H
#include "tree.h"

VOID callgrind_write(FILE *f, const struct tree *t, UINT64 total);      /* for KCachegrind and callgrind_annotate */
VOID folded_write(FILE *f, const struct tree *t);                       /* "a;b;c 123": for flame graph programs */
VOID stacks_add(struct table *to, const struct tree *t);                /* rows of stack, instructions */
VOID flame_write(FILE *f, const struct tree *t);                        /* a flame graph, SVG */

/* Sizes of a block's instructions, one byte each: what lines need. */
VOID *code_sizes(BBL bbl);
#endif
