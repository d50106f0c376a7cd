/* graph.c: see graph.h. Dominators by the iterative method of Cooper, Harvey and Kennedy. */
#include "tool.h"
#include "graph.h"

enum { NONE = ~0u };

UINT32 graph_node(struct graph *g, ADDRINT a)
{
    UINT64 *at = map_at(&g->by_address, a);
    if (!*at) {
        VEC_ADD(g->nodes, ((struct node){ .address = a, .end = a }));
        *at = g->nodes.n;
    }
    return (UINT32)(*at - 1);
}

VOID graph_edge(struct graph *g, UINT32 from, UINT32 to, UINT64 count)
{
    struct node *n = &g->nodes.at[to];
    for (size_t i = 0; i < n->in.n; i++)
        if (n->in.at[i].node == from) {
            n->in.at[i].count += count;
            return;
        }
    VEC_ADD(n->in, ((struct way){ from, count }));
    VEC_ADD(g->nodes.at[from].out, to);
}

VOID graph_free(struct graph *g)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        free(g->nodes.at[i].out.at);
        free(g->nodes.at[i].in.at);
    }
    free(g->nodes.at);
    map_clear(&g->by_address);
    *g = (struct graph){ 0 };
}

/* ---- order: the root, an extra node behind the others, leads to all entries ---- */
struct order { UINT32 *at; UINT32 n; };         /* nodes, each after all that it leads to, but for cycles */

static VOID visit(struct graph *g, UINT32 start, struct order *post, UINT8 *seen)
{
    VEC(struct { UINT32 node; UINT32 next; }) stack = { 0 };
    typeof(*stack.at) top = { start, 0 };
    seen[start] = 1;
    VEC_ADD(stack, top);
    while (stack.n) {
        struct node *n = &g->nodes.at[stack.at[stack.n - 1].node];
        UINT32 *next = &stack.at[stack.n - 1].next;
        if (*next == n->out.n) {
            n->order = post->n;
            post->at[post->n++] = stack.at[--stack.n].node;
            continue;
        }
        top.node = n->out.at[(*next)++];
        if (!seen[top.node]) {
            seen[top.node] = 1;
            VEC_ADD(stack, top);
        }
    }
    free(stack.at);
}

static UINT32 add_root(struct graph *g)
{
    UINT32 root = (UINT32)g->nodes.n;
    VEC_ADD(g->nodes, ((struct node){ 0 }));
    for (UINT32 i = 0; i < root; i++)
        if (i == 0 || !g->nodes.at[i].in.n)
            graph_edge(g, root, i, 0);
    return root;
}

/* Cycles that no entry leads to (their way in was not seen) get one. */
static VOID make_order(struct graph *g, UINT32 root, struct order *post)
{
    UINT8 *seen = need(g->nodes.n);
    post->at = need(g->nodes.n * sizeof *post->at);
    visit(g, root, post, seen);
    for (UINT32 i = 0; i < root; i++)
        if (!seen[i]) {
            graph_edge(g, root, i, 0);
            post->n = 0;
            memset(seen, 0, g->nodes.n);
            visit(g, root, post, seen);
        }
    free(seen);
}

static UINT32 common(const struct graph *g, UINT32 a, UINT32 b)
{
    while (a != b) {
        while (g->nodes.at[a].order < g->nodes.at[b].order)
            a = g->nodes.at[a].dominator;
        while (g->nodes.at[b].order < g->nodes.at[a].order)
            b = g->nodes.at[b].dominator;
    }
    return a;
}

static VOID find_dominators(struct graph *g, UINT32 root, const struct order *post)
{
    for (size_t i = 0; i < g->nodes.n; i++)
        g->nodes.at[i].dominator = NONE;
    g->nodes.at[root].dominator = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (UINT32 i = post->n; i-- > 0;) {
            UINT32 me = post->at[i], best = NONE;
            struct node *n = &g->nodes.at[me];
            for (size_t k = 0; me != root && k < n->in.n; k++)
                if (g->nodes.at[n->in.at[k].node].dominator != NONE)
                    best = best == NONE ? n->in.at[k].node : common(g, best, n->in.at[k].node);
            if (me != root && best != n->dominator) {
                n->dominator = best;
                changed = true;
            }
        }
    }
}

/* ---- loops ---- */
static bool dominates(const struct graph *g, UINT32 head, UINT32 n, UINT32 root)
{
    while (n != head && n != root)
        n = g->nodes.at[n].dominator;
    return n == head;
}

static bool is_in(const struct loop *l, UINT32 n)
{
    for (size_t i = 0; i < l->body.n; i++)
        if (l->body.at[i] == n)
            return true;
    return false;
}

static VOID add_body(struct graph *g, struct loop *l, UINT8 *seen, UINT32 from)
{
    VEC(UINT32) work = { 0 };
    VEC_ADD(work, from);
    while (work.n) {
        UINT32 n = work.at[--work.n];
        if (seen[n])
            continue;
        seen[n] = 1;
        VEC_ADD(l->body, n);
        for (size_t i = 0; i < g->nodes.at[n].in.n; i++)
            VEC_ADD(work, g->nodes.at[n].in.at[i].node);
    }
    free(work.at);
}

VOID graph_find_loops(struct graph *g, struct loops *loops)
{
    struct order post = { 0 };
    UINT32 root = add_root(g);
    make_order(g, root, &post);
    find_dominators(g, root, &post);
    UINT8 *seen = need(g->nodes.n);
    for (UINT32 head = 0; head < root; head++) {
        struct loop l = { .head = head };
        memset(seen, 0, g->nodes.n);
        seen[head] = seen[root] = 1;
        for (size_t i = 0; i < g->nodes.at[head].in.n; i++) {
            UINT32 from = g->nodes.at[head].in.at[i].node;
            if (from == root || !dominates(g, head, from, root))
                continue;
            if (!is_in(&l, head))
                VEC_ADD(l.body, head);
            add_body(g, &l, seen, from);
            l.back += g->nodes.at[head].in.at[i].count;
        }
        if (l.body.n)
            VEC_ADD(loops->v, l);
    }
    free(seen);
    free(post.at);
}
