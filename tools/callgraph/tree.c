/* tree.c: see tree.h. */
#include "tool.h"
#include "tree.h"

enum { DEEPEST = 2000, LARGEST = 4 << 20 };

VOID tree_init(struct tree *t)
{
    *t = (struct tree){ 0 };
    VEC_ADD(t->nodes, ((struct node){ 0 }));
}

UINT32 tree_child(struct tree *t, UINT32 parent, ADDRINT site, struct routine *r)
{
    UINT64 key[3] = { parent, site, (UINT64)r };
    UINT64 *known = map_at(&t->index, hash_bytes(key, sizeof key, 0));
    if (*known)
        return (UINT32)*known;
    if (t->nodes.at[parent].depth >= DEEPEST || t->nodes.n >= LARGEST) {
        t->n_cut++;
        return parent;
    }
    struct node n = { .parent = parent, .next_sibling = t->nodes.at[parent].first_child, .routine = r, .site = site,
                      .depth = t->nodes.at[parent].depth + 1 };
    VEC_ADD(t->nodes, n);
    *known = t->nodes.n - 1;
    return t->nodes.at[parent].first_child = (UINT32)*known;
}

VOID tree_charge(struct tree *t, UINT64 instructions)
{
    t->nodes.at[t->current].self += instructions - t->charged;
    t->charged = instructions;
}

/* Parents come before their children. */
VOID tree_merge(struct tree *to, const struct tree *from)
{
    UINT32 *place = need(from->nodes.n * sizeof *place);
    for (size_t i = 0; i < from->nodes.n; i++) {
        const struct node *n = &from->nodes.at[i];
        place[i] = i ? tree_child(to, place[n->parent], n->site, n->routine) : 0;
        to->nodes.at[place[i]].self += n->self;
        to->nodes.at[place[i]].calls += n->calls;
    }
    to->n_cut += from->n_cut;
    free(place);
}

VOID tree_clear(struct tree *t)
{
    for (size_t i = 0; i < t->nodes.n; i++)
        t->nodes.at[i].self = t->nodes.at[i].calls = 0;
    t->n_cut = 0;
}

VOID tree_sum(struct tree *t)
{
    for (size_t i = 0; i < t->nodes.n; i++)
        t->nodes.at[i].inclusive = t->nodes.at[i].self;
    for (size_t i = t->nodes.n; i-- > 1;)
        t->nodes.at[t->nodes.at[i].parent].inclusive += t->nodes.at[i].inclusive;
}
