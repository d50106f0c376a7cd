/* counter.h: many counters, each thread with its own copy, so that counting needs no lock and loses nothing.
 *
 * A thread's counters are one array in a large reserved area; pages that no counter of the thread was touched on cost
 * nothing. The analysis routines below are two instructions when inlined. Counters are added up when a thread ends. */
#ifndef TOOLS_COUNTER_H
#define TOOLS_COUNTER_H

enum { COUNTERS_MAX = 1 << 23 };
VOID counters_begin(VOID);                      /* in main(), by tools that use counters */
UINT32 counter_new(UINT32 n);                   /* the first of n consecutive ones; from callbacks that are serialised */
UINT32 counters_used(VOID);
UINT64 counter_total(UINT32 i);                 /* in the report: of all threads */
VOID counters_collect(VOID);                    /* called before the report */

extern __thread UINT64 *counters;

/* Analysis routines: IARG_ADDRINT, counter_arg(i), and an amount. They are static, so that the compiler may inline them in
 * larger routines of the tool. */
static inline ADDRINT counter_arg(UINT32 i) { return (ADDRINT)i * sizeof(UINT64); }
static VOID __attribute__((unused)) counter_increment(ADDRINT at) { ++*(UINT64 *)((UINT8 *)counters + at); }
static VOID __attribute__((unused)) counter_add(ADDRINT at, ADDRINT n) { *(UINT64 *)((UINT8 *)counters + at) += n; }
#endif
