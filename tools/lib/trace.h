/* trace.h: records that analysis routines append to a buffer of their thread. The buffer is handed over when it is full, when
 * the thread ends and when the process does.
 *
 * Room is checked once for a block (trace_check), so that each record costs only its stores:
 *
 *     static VOID note(ADDRINT a) { *(ADDRINT *)tracebuf.next = a; tracebuf.next += sizeof a; }
 *
 * Room for records is filled with 0. A forked child begins with an empty buffer. */
#ifndef TOOLS_TRACE_H
#define TOOLS_TRACE_H

struct tracebuf { UINT8 *next, *limit, *base; };
extern __thread struct tracebuf tracebuf;

/* In main(). take() runs on the thread, or for it at the end, with the client lock held: one at a time. */
VOID trace_begin(VOID (*take)(struct thread_record *t, const UINT8 *records, size_t bytes));
/* At a block's beginning, before other calls at it are inserted: make room for so many bytes. */
VOID trace_check(BBL bbl, UINT32 bytes);
VOID trace_flush(VOID);                         /* hand over the calling thread's records now */

/* The file that traces go to, -o or stderr, opened when first asked for; a forked child has its own. */
FILE *trace_file(VOID);
/* One file for each thread: -o FILE, for further threads FILE.N; without -o: TOOL.PID`suffix`. */
FILE *trace_thread_file(struct thread_record *t, const char *suffix);
VOID trace_close(VOID);                         /* in the report */
#endif
