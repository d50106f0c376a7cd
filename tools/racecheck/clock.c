/* clock.c: see clock.h. */
#include "tool.h"
#include "clock.h"

static VOID make_room(struct clock *c, UINT32 n)
{
    if (n <= c->n)
        return;
    c->time = need_more(c->time, n * sizeof *c->time);
    memset(c->time + c->n, 0, (n - c->n) * sizeof *c->time);
    c->n = n;
}

VOID clock_set(struct clock *c, UINT32 thread, UINT32 time)
{
    make_room(c, thread + 1);
    c->time[thread] = time;
}

VOID clock_join(struct clock *into, const struct clock *from)
{
    make_room(into, from->n);
    for (UINT32 i = 0; i < from->n; i++)
        if (from->time[i] > into->time[i])
            into->time[i] = from->time[i];
}
