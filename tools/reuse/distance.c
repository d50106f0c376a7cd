/* distance.c: see distance.h. Times run from 1 to `room`; `tree` holds sums of marks. */
#include "tool.h"
#include "distance.h"

static struct map last;                         /* line + 1 -> time; 0: in the list */
static UINT64 *line_at, *tree, room, now, n_lines, n_marked;
enum { RECENT = 32 };
static UINT64 recent[RECENT];
static UINT32 n_recent;

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
    while (bigger < 2 * n_marked + 2)
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

static VOID mark_now(UINT64 line)
{
    if (now == room)
        make_room();
    *map_at(&last, line + 1) = ++now;
    line_at[now] = line;
    mark(now, 1);
    n_marked++;
}

/* ---- the list ---- */
static UINT32 place_in_list(UINT64 line)
{
    UINT32 i = 0;
    while (i < n_recent && recent[i] != line)
        i++;
    return i;
}

/* The line at `place` becomes the first. */
static VOID bring_to_front(UINT32 place, UINT64 line)
{
    for (UINT32 i = place; i; i--)
        recent[i] = recent[i - 1];
    recent[0] = line;
}

UINT64 distance_again(UINT64 line)
{
    UINT32 place = place_in_list(line);
    if (place == n_recent)
        return DISTANCE_NEW;
    bring_to_front(place, line);
    return place;
}

/* The line becomes the first, and those before its old place move by one, in one pass. The result is that place, or n_recent:
 * it was not there; then *out fell off the end, or, when there was room, nothing did. */
static UINT32 move_to_front(UINT64 line, UINT64 *out)
{
    UINT64 carried = line;
    for (UINT32 i = 0; i < n_recent; i++) {
        UINT64 here = recent[i];
        recent[i] = carried;
        if (here == line)
            return i;
        carried = here;
    }
    *out = carried;
    return n_recent;
}

UINT64 distance_touch(UINT64 line)
{
    UINT64 out = 0, distance = DISTANCE_NEW;
    UINT32 place = move_to_front(line, &out), n = n_recent;
    if (place < n)
        return place;
    if (n < RECENT)
        recent[n_recent++] = out;
    UINT64 *slot = map_at(&last, line + 1), before = *slot;
    if (before) {
        distance = n + n_marked - marks_until(before);
        mark(before, -1);
        n_marked--;
        *slot = 0;
    } else {
        n_lines++;
    }
    if (n == RECENT)
        mark_now(out);
    return distance;
}

UINT64 distance_lines(VOID) { return n_lines; }
