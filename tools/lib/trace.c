/* trace.c: see trace.h. */
#include "tool.h"
#include "progress.h"
#include "trace.h"
#include <stdio_ext.h>

enum { SIZE = 1 << 18 };
__thread struct tracebuf tracebuf;
static VOID (*take)(struct thread_record *t, const UINT8 *records, size_t bytes);
static FILE *file;
static VEC(FILE *) thread_files;                /* by thread number */

static VOID hand_over(struct thread_record *t)
{
    struct tracebuf *b = t->trace;
    size_t n = (size_t)(b->next - b->base);
    b->next = b->base;
    if (!n)
        return;
    PIN_LockClient();
    take(t, b->base, n);
    PIN_UnlockClient();
    memset(b->base, 0, n);
}

static VOID start(struct thread_record *t)
{
    tracebuf.base = tracebuf.next = need(SIZE);
    tracebuf.limit = tracebuf.base + SIZE;
    t->trace = &tracebuf;
}

static VOID finish(struct thread_record *t)
{
    hand_over(t);
    if (!PIN_IsProcessExiting() && t == thread_me) {
        free(tracebuf.base);
        tracebuf = (struct tracebuf){ 0 };
    }
}

/* What the parent has not written yet is the parent's. */
static VOID restart(struct thread_record *t)
{
    memset(tracebuf.base, 0, (size_t)(tracebuf.next - tracebuf.base));
    tracebuf.next = tracebuf.base;
    if (file)
        __fpurge(file);
    for (size_t i = 0; i < thread_files.n; i++)
        if (thread_files.at[i])
            __fpurge(thread_files.at[i]);
    thread_files.n = 0;
    file = NULL;
}

VOID trace_begin(VOID (*function)(struct thread_record *t, const UINT8 *records, size_t bytes))
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    take = function;
    threads_hook(&hooks);
}

/* ---- analysis ---- */
static ADDRINT is_short(UINT32 bytes) { return tracebuf.next + bytes > tracebuf.limit; }
VOID trace_flush(VOID) { hand_over(thread_me); }

VOID trace_check(BBL bbl, UINT32 bytes)
{
    BBL_InsertIfCall(bbl, IPOINT_BEFORE, AFUNPTR(is_short), IARG_UINT32, bytes, IARG_END);
    BBL_InsertThenCall(bbl, IPOINT_BEFORE, AFUNPTR(trace_flush), IARG_END);
}

/* ---- files ---- */
FILE *trace_file(VOID)
{
    static char room[1 << 16];
    if (!file) {
        file = out_open();
        if (file == stderr)
            setvbuf(stderr, room, _IOFBF, sizeof room);
    }
    return file;
}

FILE *trace_thread_file(struct thread_record *t, const char *suffix)
{
    char more[32];
    while (thread_files.n <= t->number)
        VEC_ADD(thread_files, NULL);
    FILE **f = &thread_files.at[t->number];
    snprintf(more, sizeof more, t->number ? ".%u" : "", t->number);
    char *name = need_text("%s%s", out_is_file() ? "" : suffix, more);
    if (!*f)
        *f = out_open_beside(name);
    free(name);
    return *f;
}

/* A trace of nothing is an empty file, not a missing one. */
VOID trace_close(VOID)
{
    progress_end(false);
    if (!file && !thread_files.n && out_is_file())
        trace_file();
    if (file)
        out_close(file);
    for (size_t i = 0; i < thread_files.n; i++)
        if (thread_files.at[i])
            out_close(thread_files.at[i]);
    thread_files.n = 0;
    file = NULL;
}
