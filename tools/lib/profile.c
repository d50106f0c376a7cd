/* profile.c: see profile.h. */
#include "tool.h"
#include "profile.h"

static int by_instructions(const VOID *a, const VOID *b)
{
    const struct routine_profile *p = a, *q = b;
    return p->instructions != q->instructions ? (p->instructions < q->instructions) - (p->instructions > q->instructions)
                                              : (p->routine->number > q->routine->number) - (p->routine->number < q->routine->number);
}

struct routine_profile *profile_routines(size_t *n)
{
    struct routine_profile *all = need((routines_count() + 1) * sizeof *all);
    for (UINT32 i = 0; i < blocks_count(); i++) {
        struct block *b = block_number(i);
        struct routine_profile *p = &all[b->routine->number];
        p->routine = b->routine;
        p->instructions += block_instructions(b);
        p->calls += b->address == b->routine->address ? block_executions_of(b, 0) : 0;
    }
    *n = 0;
    for (UINT32 i = 0; i < routines_count(); i++)
        if (all[i].instructions)
            all[(*n)++] = all[i];
    qsort(all, *n, sizeof *all, by_instructions);
    return all;
}
