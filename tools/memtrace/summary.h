/* summary.h: what -html shows of a trace: pages by accesses, and how accesses spread over time. */
#ifndef MEMTRACE_SUMMARY_H
#define MEMTRACE_SUMMARY_H
VOID summary_count(char kind, ADDRINT address, UINT32 size);
VOID summary_write(UINT64 reads, UINT64 writes, UINT64 bytes);
VOID summary_clear(VOID);
#endif
