/* leak.h: blocks that live at the end and that nothing points to. */
#ifndef HEAPCHECK_LEAK_H
#define HEAPCHECK_LEAK_H
struct leak_sums { UINT64 lost_bytes, lost_blocks, indirect_bytes, indirect_blocks, reachable_bytes, reachable_blocks; };
VOID leak_begin(VOID);                          /* in main() */
struct leak_sums leak_find(VOID);               /* in the report: notes errors */
#endif
