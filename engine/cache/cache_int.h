/* cache_int.h: between the files of the cache. */
#ifndef CACHE_INT_H
#define CACHE_INT_H
#include "engine/cache/cache.h"

struct block {
    u8 *base, *end;
    u8 *body, *stub;                /* free space is between them */
    u8 *touched_lo, *touched_hi;    /* pages between them have never been used */
    u8 *object, *objects_end;       /* memory for trace objects: what is free of the newest chunk */
    struct chunk *chunks;
    ref_t *traces;                  /* in the order of their addresses; retired ones stay until the block goes */
    struct way_out way_out;         /* for stubs to come */
    u32 n_traces, max_traces;
    u32 n_live;
    u32 pieces;                     /* bytes of code in it that is of no trace */
    u64 retired;                    /* epoch in which it was retired; 0: in use */
    struct block *next_retired;
};

struct chunk { struct chunk *next; size_t size; };       /* followed by trace objects; goes with its block */

struct block *block_of(addr_t code);            /* NULL: no block there */
struct block *block_new(void);
void block_retire(struct block *b);
bool block_any_retired(void);
void block_reclaim(u64 oldest, void (*free_trace)(struct trace *t));   /* all traces of a retired block are retired */
void block_retire_all(void);
void block_retire_again(void);                  /* all, whatever the lists of blocks say */
void block_thin_out(struct block *b);           /* if only a few of its traces are live, they go too */
void cache_thin_out(void);                      /* the same for all blocks, after retirements */
struct block *block_current(void);
void block_for_each(void (*f)(struct block *, void *), void *arg);

void dir_add(struct trace *t);
void dir_remove(struct trace *t);
void dir_clear(void);
void pages_add(struct trace *t);
void pages_remove(struct trace *t);
void pages_clear(void);

/* changed.c: a trace goes; a trace has come. */
void changed_remember(struct trace *t);
void changed_check(struct trace *t);

void distinct_remember(struct trace *t);    /* it goes; for --stats */

void mark_retired(struct trace *t); /* it goes when all traces of its block are retired */
void retire_trace(struct trace *t); /* out of everything */

extern u64 cache_now;               /* the epoch: grows with each retirement */
#endif
