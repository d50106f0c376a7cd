/* thread.h: the program's threads in the order of their birth, with the tool's data for each.
 *
 * Numbers are never used again, unlike THREADIDs. Records outlive their threads. A forked child starts with one record,
 * number 0, of the thread that forked. */
#ifndef TOOLS_THREAD_H
#define TOOLS_THREAD_H

struct thread_record {
    struct thread_record *next;
    UINT32 number;                              /* 0: the first thread */
    OS_THREAD_ID os_tid;
    THREADID tid;
    bool is_alive;
    UINT64 instructions;                        /* for the tool to fill in */
    UINT64 *counters;                           /* counter.h */
    UINT64 **counters_home;                     /* the thread's own pointer to them */
    struct tracebuf *trace;                     /* trace.h */
    struct stack *stack;                        /* stack.h */
    VOID *data;                                 /* the tool's own, made by the start callback */
};

VOID threads_begin(VOID);                       /* called by tool_begin */
struct thread_record *threads_first(VOID);
UINT32 threads_count(VOID);
extern __thread struct thread_record *thread_me;        /* of the calling thread */

/* Called on each new thread, and when the thread ends or the report is due, whichever comes first: once for each thread,
 * unless an exec failed in between. In the child of a fork `restart` is called for the thread that is left. Each may be
 * NULL; several sets may be registered. */
struct thread_hooks {
    VOID (*start)(struct thread_record *t);
    VOID (*finish)(struct thread_record *t);
    VOID (*restart)(struct thread_record *t);
    struct thread_hooks *next;
};
VOID threads_hook(struct thread_hooks *hooks);  /* kept, not copied */
VOID threads_finish(VOID);                      /* finish() for all that live; called before the report */
#endif
