/* edge.c: see edge.h. */
#include "tool.h"
#include "edge.h"

static __thread struct edges mine;
static struct edges all;

static struct edge *find(struct edges *e, ADDRINT from, ADDRINT to)
{
    UINT64 i = ((from ^ to << 17) * 0x9E3779B97F4A7C15ull >> 24) & e->mask;
    while (e->at[i].count && (e->at[i].from != from || e->at[i].to != to))
        i = (i + 1) & e->mask;
    return &e->at[i];
}

static VOID grow(struct edges *e)
{
    struct edges old = *e;
    e->mask = old.mask ? 2 * old.mask + 1 : 1023;
    e->at = need((e->mask + 1) * sizeof *e->at);
    for EDGES_EACH(&old, x)
        *find(e, x->from, x->to) = *x;
    free(old.at);
}

VOID edges_add(struct edges *e, ADDRINT from, ADDRINT to, UINT64 count)
{
    if (2 * (e->n + 1) > e->mask)
        grow(e);
    struct edge *x = find(e, from, to);
    e->n += !x->count;
    *x = (struct edge){ from, to, x->count + count };
}

VOID edges_free(struct edges *e)
{
    free(e->at);
    *e = (struct edges){ 0 };
}

static VOID went(ADDRINT from, ADDRINT to) { edges_add(&mine, from, to, 1); }

VOID edges_watch(INS ins) { INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(went), IARG_INST_PTR, IARG_BRANCH_TARGET_ADDR, IARG_END); }
const struct edges *edges_seen(VOID) { return &all; }

/* ---- threads ---- */
struct listed { struct listed *next; struct thread_record *thread; struct edges *edges; };
static struct listed *listed;

static VOID start(struct thread_record *t)
{
    struct listed *l = need(sizeof *l);
    *l = (struct listed){ listed, t, &mine };
    listed = l;
}

static VOID finish(struct thread_record *t)
{
    for (struct listed *l = listed; l; l = l->next) {
        if (l->thread != t || !l->edges)
            continue;
        for EDGES_EACH(l->edges, x)
            edges_add(&all, x->from, x->to, x->count);
        edges_free(l->edges);
        if (!PIN_IsProcessExiting() && t == thread_me)
            l->edges = NULL;                    /* the thread's variables end with it */
    }
}

static VOID restart(struct thread_record *t)
{
    edges_free(&mine);
    edges_free(&all);
}

VOID edges_begin(VOID)
{
    static struct thread_hooks hooks = { start, finish, restart, NULL };
    threads_hook(&hooks);
}
