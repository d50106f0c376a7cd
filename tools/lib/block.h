/* block.h: the program's basic blocks, each with a counter. The same code at the same place is the same block, however
 * often it is translated; other code at the same place is another block. */
#ifndef TOOLS_BLOCK_H
#define TOOLS_BLOCK_H

struct block {
    ADDRINT address;
    UINT32 size, n_ins;
    UINT32 number, counter;
    struct routine *routine;
    UINT64 *left_before;                        /* by instruction: how often it was left before that; NULL: never */
    VOID *data;                                 /* the tool's own, for what it must see while it has the BBL */
};

struct block *block_for(BBL bbl);                /* in a trace callback; data is NULL the first time */
UINT32 blocks_count(VOID);
struct block *block_number(UINT32 i);

/* Counting: a tool that does not let blocks_count_all() do everything calls blocks_begin() in main(), after tool_begin, and
 * block_count() for each block in a trace callback. */
VOID blocks_begin(VOID);
struct block *block_count(TRACE trace, BBL bbl);
/* The whole instrumentation of a tool that counts blocks. `look` sees each new block once and may be NULL. */
VOID blocks_count_all(VOID (*look)(struct block *b, BBL bbl));

/* In the report: how often the block was begun; how often its instruction number i was executed, and its last one; how many
 * instructions were, in all. */
static inline UINT64 block_executions(const struct block *b) { return counter_total(b->counter); }
UINT64 block_executions_of(const struct block *b, UINT32 i);
static inline UINT64 block_completions(const struct block *b) { return block_executions_of(b, b->n_ins - 1); }
UINT64 block_instructions(const struct block *b);
UINT64 blocks_instructions_total(VOID);
/* Executed by a thread, before its counters are collected: in a thread hook's finish, hooked after it. */
UINT64 blocks_instructions(const struct thread_record *t);
#endif
