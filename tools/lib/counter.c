/* counter.c: see counter.h.
 *
 *  (1) `counters` of a running thread always points to an array of its own, before its first instruction and after its
 *      counts were collected: an exec that fails goes on.
 *  (2) Arrays of ended threads are empty and are used again. */
#include "tool.h"
#include <sys/mman.h>

static const size_t ARRAY_SIZE = (size_t)COUNTERS_MAX * sizeof(UINT64);
__thread UINT64 *counters;
static UINT64 *totals;
static UINT32 n_used;
static VEC(UINT64 *) spare;

static UINT64 *reserve(VOID)
{
    UINT64 *p = mmap(NULL, ARRAY_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "cotter: no address space for the counters of one more thread (ulimit -v?)\n");
        PIN_ExitProcess(125);
    }
    return p;
}

static VOID start(struct thread_record *t)
{
    t->counters = spare.n ? spare.at[--spare.n] : reserve();
    t->counters_home = &counters;
    counters = t->counters;
}

static VOID collect(struct thread_record *t)
{
    for (UINT32 i = 0; i < n_used; i++)
        totals[i] += t->counters[i];
    madvise(t->counters, ARRAY_SIZE, MADV_DONTNEED);
}

/* On the thread that ends, or for all threads at rest when the process does. */
static VOID finish(struct thread_record *t)
{
    collect(t);
    if (!PIN_IsProcessExiting() && t == thread_me)
        VEC_ADD(spare, t->counters);
}

/* The child counts from its birth on. */
static VOID restart(struct thread_record *t)
{
    madvise(t->counters, ARRAY_SIZE, MADV_DONTNEED);
    madvise(totals, ARRAY_SIZE, MADV_DONTNEED);
}

VOID counters_begin(VOID)
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    totals = reserve();
    threads_hook(&hooks);
}

UINT32 counter_new(UINT32 n)
{
    if (n > COUNTERS_MAX - n_used) {
        fprintf(stderr, "cotter: the program has more code than this tool can count (%d counters)\n", COUNTERS_MAX);
        PIN_ExitProcess(125);
    }
    n_used += n;
    return n_used - n;
}

UINT32 counters_used(VOID) { return n_used; }
UINT64 counter_total(UINT32 i) { return totals[i]; }
VOID counters_collect(VOID) { threads_finish(); }
