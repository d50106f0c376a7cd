/* alloc.h: functions of ours in the place of the program's malloc, free, operator new and their kin. */
#ifndef HEAPCHECK_ALLOC_H
#define HEAPCHECK_ALLOC_H
VOID alloc_replace(IMG img);                    /* from an image callback */
struct alloc_sums { UINT64 made, freed, bytes, live_bytes, peak_bytes; };
extern struct alloc_sums alloc_sums;            /* under the heap's lock */
#endif
