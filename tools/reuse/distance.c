/* distance.c: see distance.h. Times run from 1 to `room`; `tree` holds sums of marks. */
#include "tool.h"
#include "distance.h"

static struct map last;                         /* line + 1 -> time */
static UINT64 *line_at, *tree, room, now, n_lines;

static VOID mark(UINT64 time, INT64 by)
{
    for (; time <= room; time += time & -time)
        tree[time] += (UINT64)by;
}

static UINT64 marks_until(UINT64 time)
{
    UINT64 sum = 0;
    for (; time; time -= time & -time)
        sum += tree[time];
    return sum;
}

/* At least half of the new times are free. */
static VOID make_room(VOID)
{
    UINT64 bigger = room < 1 << 16 ? 1 << 16 : room, n = 0, *old = line_at, old_now = now;
    while (bigger < 2 * n_lines + 2)
        bigger *= 2;
    free(tree);
    room = bigger;
    tree = need((room + 1) * sizeof *tree);
    line_at = need((room + 1) * sizeof *line_at);
    for (UINT64 t = 1; t <= old_now; t++)
        if (map_get(&last, old[t] + 1) == t) {
            *map_at(&last, old[t] + 1) = ++n;
            line_at[n] = old[t];
            mark(n, 1);
        }
    now = n;
    free(old);
}

UINT64 distance_touch(UINT64 line)
{
    if (now == room)
        make_room();
    UINT64 *slot = map_at(&last, line + 1), before = *slot, distance = DISTANCE_NEW;
    if (before) {
        distance = n_lines - marks_until(before);
        mark(before, -1);
    } else {
        n_lines++;
    }
    *slot = ++now;
    line_at[now] = line;
    mark(now, 1);
    return distance;
}

UINT64 distance_again(UINT64 line)
{
    UINT64 *slot = now < room ? map_find(&last, line + 1) : NULL;
    if (!slot)
        return DISTANCE_NEW;
    UINT64 distance = n_lines - marks_until(*slot);
    mark(*slot, -1);
    *slot = ++now;
    line_at[now] = line;
    mark(now, 1);
    return distance;
}

UINT64 distance_lines(VOID) { return n_lines; }
