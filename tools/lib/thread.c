/* thread.c: see thread.h. Callbacks are serialised by the client lock, which guards all of this. */
#include "tool.h"

static struct thread_record *first, **last = &first;
static UINT32 n_threads;
static struct thread_hooks *hooks, **hooks_end = &hooks;
__thread struct thread_record *thread_me;

struct thread_record *threads_first(VOID) { return first; }
UINT32 threads_count(VOID) { return n_threads; }

VOID threads_hook(struct thread_hooks *h)
{
    *hooks_end = h;
    hooks_end = &h->next;
}

static VOID enter(struct thread_record *t, THREADID tid)
{
    t->tid = tid;
    t->os_tid = PIN_GetTid();
    t->number = n_threads++;
    t->is_alive = true;
    t->next = NULL;
    *last = t;
    last = &t->next;
    thread_me = t;
}

static VOID start(THREADID tid, CONTEXT *ctxt, INT32 flags, VOID *v)
{
    struct thread_record *t = need(sizeof *t);
    enter(t, tid);
    for (struct thread_hooks *h = hooks; h; h = h->next)
        if (h->start)
            h->start(t);
}

static VOID finish(struct thread_record *t)
{
    for (struct thread_hooks *h = hooks; h; h = h->next)
        if (h->finish)
            h->finish(t);
}

static VOID fini(THREADID tid, const CONTEXT *ctxt, INT32 code, VOID *v)
{
    if (PIN_IsProcessExiting() || !thread_me || thread_me->tid != tid)
        return;                                 /* threads_finish does it: the thread may go on after an exec that failed */
    finish(thread_me);
    thread_me->is_alive = false;
}

VOID threads_finish(VOID)
{
    for (struct thread_record *t = first; t; t = t->next)
        if (t->is_alive)
            finish(t);
}

/* Other threads' records stay allocated: their hooks may share what they hold. */
static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    struct thread_record *t = thread_me;
    first = NULL;
    last = &first;
    n_threads = 0;
    t->instructions = 0;
    enter(t, tid);
    for (struct thread_hooks *h = hooks; h; h = h->next)
        if (h->restart)
            h->restart(t);
}

VOID threads_begin(VOID)
{
    PIN_AddThreadStartFunction(start, 0);
    PIN_AddThreadFiniFunction(fini, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
}
