/* context.c: see context.h. */
#include "engine/jit/context.h"
#include "base/heap.h"
#include "engine/engine.h"

enum { DEEPEST = 4, MOST = CONTEXT_LAST - CONTEXT_FIRST + 1, N_SLOTS = 2 * MOST };

struct stack { addr_t back[DEEPEST]; };         /* the newest first; 0: not known */

static struct { struct stack stack[MOST]; u16 slot[N_SLOTS]; u32 n; } *all;   /* slot: of the hash table, a context or 0 */

static bool is_same(const struct stack *a, const struct stack *b) { return !memcmp(a, b, sizeof *a); }

static u32 hash(const struct stack *s)
{
    u64 h = 0;
    for (u32 i = 0; i < DEEPEST; i++)
        h = (h ^ s->back[i]) * 0x9e3779b97f4a7c15ull;
    return (u32)(h >> 32);
}

static u32 number_of(const struct stack *s)
{
    if (!s->back[0])
        return 0;
    if (!all)
        all = heap_pages(sizeof *all);
    u32 i = hash(s) % N_SLOTS;
    for (; all->slot[i]; i = (i + 1) % N_SLOTS)
        if (is_same(&all->stack[all->slot[i] - CONTEXT_FIRST], s))
            return all->slot[i];
    if (all->n == MOST)
        return 0;
    all->stack[all->n] = *s;
    return all->slot[i] = (u16)(CONTEXT_FIRST + all->n++);
}

u32 context_push(u32 version, addr_t back)
{
    struct stack s = { { back } };
    if (opt->returns != RETURNS_CLONE || tool_version(version))
        return 0;
    for (u32 i = 1; is_context(version) && i < opt->clone_depth; i++)
        s.back[i] = all->stack[version - CONTEXT_FIRST].back[i - 1];
    return number_of(&s);
}

u32 context_pop(u32 context, addr_t *back)
{
    *back = 0;
    if (!is_context(context) || opt->returns != RETURNS_CLONE)
        return 0;
    struct stack s = all->stack[context - CONTEXT_FIRST];
    *back = s.back[0];
    memmove(&s.back[0], &s.back[1], sizeof s - sizeof s.back[0]);
    s.back[DEEPEST - 1] = 0;
    return number_of(&s);
}
