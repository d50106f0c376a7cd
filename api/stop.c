/* stop.c: all application threads at rest. */
#include "engine/emulate/stop.h"
#include "api/api.h"
#include <stdlib.h>

static THREADID stopped[PIN_MAX_THREADS];
static UINT32 n_stopped;
static CONTEXT *contexts[PIN_MAX_THREADS];      /* of threads that wait in the kernel: made when asked for */

BOOL PIN_StopApplicationThreads(THREADID tid)
{
    not_in_probe_mode("PIN_StopApplicationThreads");
    if (!stop_others(&thr_self)) {
        stop_resume(&thr_self);
        return FALSE;
    }
    n_stopped = 0;
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (thread_by_id(i) && thread_by_id(i) != &thr_self)
            stopped[n_stopped++] = i;
    return TRUE;
}

VOID PIN_ResumeApplicationThreads(THREADID tid)
{
    n_stopped = 0;
    stop_resume(&thr_self);
}

UINT32 PIN_GetStoppedThreadCount(VOID) { return n_stopped; }
THREADID PIN_GetStoppedThreadId(UINT32 i) { return i < n_stopped ? stopped[i] : INVALID_THREADID; }

/* A thread that waits in the kernel has no vector state that could be read. */
static CONTEXT *context_of(THREADID tid)
{
    struct thread *t = thread_by_id(tid);
    if (!t || t == &thr_self)
        return NULL;
    if (t->stopped)
        return (CONTEXT *)t->stopped;
    if (!contexts[tid])
        contexts[tid] = aligned_alloc(64, sizeof(CONTEXT));
    context_take(contexts[tid], t, true);
    return contexts[tid];
}

const CONTEXT *PIN_GetStoppedThreadContext(THREADID tid) { return context_of(tid); }

CONTEXT *PIN_GetStoppedThreadWriteableContext(THREADID tid)
{
    struct thread *t = thread_by_id(tid);
    return t && t != &thr_self ? (CONTEXT *)t->stopped : NULL;
}
