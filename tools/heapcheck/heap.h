/* heap.h: the blocks that the program's malloc gives while it is checked.
 *
 * They lie in an area of their own at a fixed address, with guard bytes around each. A second area of the same size, at a
 * constant distance, holds one byte of state for each byte of the heap. So one load of an access's own width tells whether
 * all of it is fine: BYTE_FINE is 0. */
#ifndef HEAPCHECK_HEAP_H
#define HEAPCHECK_HEAP_H

#define HEAP_LO    0x300000000000ul
#define HEAP_SIZE  (1ul << 36)
#define STATE_GAP  (1ul << 40)

enum { BYTE_FINE, BYTE_UNSET, BYTE_OUTSIDE, BYTE_FREED };       /* UNSET: allocated, never written */
enum { GUARD = 16, PAGE = 4096 };

enum chunk_kind { KIND_MALLOC, KIND_NEW, KIND_NEW_ARRAY };
enum chunk_life { LIFE_NONE, LIFE_LIVE, LIFE_FREED };           /* NONE: not given out now */
struct chunk {
    ADDRINT at;
    size_t size;
    const struct callstack *made, *freed;
    struct chunk *next;                                         /* while freed: the quarantine; then: the free list */
    UINT32 class;
    UINT32 thread;                                              /* that made it */
    UINT8 kind, life, mark;
};

static inline bool arena_has(ADDRINT a) { return a - HEAP_LO < HEAP_SIZE; }
static inline UINT8 *arena_state(ADDRINT a) { return (UINT8 *)(a + STATE_GAP); }
static inline VOID arena_mark(ADDRINT a, size_t n, UINT8 state) { memset(arena_state(a), state, n); }

VOID arena_begin(size_t quarantine);             /* in main(): bytes of freed blocks that are kept from being used again */
VOID arena_lock(VOID);
VOID arena_unlock(VOID);
/* Under the lock. NULL: too large. The bytes are UNSET. */
struct chunk *arena_new(size_t size, size_t alignment);
VOID arena_free(struct chunk *b);                /* FREED now; later its place is used again */
/* The block nearest to an address of the heap, or NULL. */
struct chunk *arena_near(ADDRINT a);
struct chunk *arena_exact(ADDRINT a);            /* the one that begins there, live or freed */
VOID arena_each(VOID (*visit)(struct chunk *b)); /* all live ones */
#endif
