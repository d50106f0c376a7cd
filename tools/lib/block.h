/* block.h: the program's basic blocks, each with a counter. The same code at the same place is the same block, however
 * often it is translated; other code at the same place is another block. */
#ifndef TOOLS_BLOCK_H
#define TOOLS_BLOCK_H

struct block {
    ADDRINT address;
    UINT32 size, n_ins;
    UINT32 number, counter;
    struct routine *routine;
    UINT64 not_executed;                        /* instructions, when it was left in the middle by faults */
    VOID *data;                                 /* the tool's own, for what it must see while it has the BBL */
};

struct block *block_for(BBL bbl);                /* in a trace callback; data is NULL the first time */
UINT32 blocks_count(VOID);
struct block *block_number(UINT32 i);
static inline UINT64 block_executions(const struct block *b) { return counter_total(b->counter); }     /* begun */
static inline UINT64 block_instructions(const struct block *b) { return block_executions(b) * b->n_ins - b->not_executed; }

/* The whole instrumentation of a tool that counts blocks: in main(), after tool_begin. `look` sees each new block once and
 * may be NULL. */
VOID blocks_count_all(VOID (*look)(struct block *b, BBL bbl));
/* In a thread hook's finish, hooked after it, or in the report. */
UINT64 blocks_instructions(const struct thread_record *t);      /* executed by a thread, before its counters are collected */
UINT64 blocks_instructions_total(VOID);                         /* by all, in the report */
#endif
