/* heap.h: the engine's memory, in its own part of the private range. Blocks are zeroed. Sizes are given back on free,
 * so no block carries a header. Any thread, not from a signal handler. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H
#include "base/types.h"

void heap_init(addr_t lo, addr_t hi);
void *heap_alloc(size_t size);
void heap_free(void *p, size_t size);
void *heap_pages(size_t size);              /* page aligned, zero, not touched yet */
void *heap_try_pages(size_t size);          /* the same, or NULL; leaves the reserve alone */
void heap_free_pages(void *p, size_t size);
void heap_after_fork(void);
u64 heap_used(void);                        /* bytes handed out */
extern void (*heap_on_failure)(size_t size);       /* told before the engine gives up; may be NULL */
struct lock;
struct lock *heap_lock(void);               /* to be held across fork */
void heap_take_over(u32 dead);              /* from a vfork child that was killed, maybe in here */
#endif
