/* map.c: the encoding of the records. A record begins with a byte. Its lower half is how far the code moved on, its upper half how
 * far the application's address did; or the lower half says what the upper one is, and what follows:
 *
 *   SAME  the highest bits of how far both moved on, then the lower ones: what is behind a run, mostly
 *   RUN   of a run: how far the application's address moved on, then how far the code did
 *   LONG  anything, in the widths that the upper half says
 *   PARKED  no record: from the next one on, the field of `parked` that the upper half says is what follows. */
#include "engine/cache/map.h"
#include "base/str.h"

enum { PARKED = 12, SAME, RUN, LONG, WIDE_APP = 1, WIDE_CODE = 2, OWN_RESTORE = 4, IS_RUN = 8 };

static u8 *put(u8 *p, const void *from, u32 n)
{
    memcpy(p, from, n);
    return p + n;
}

static u8 *write_long(u8 *p, const struct map_entry *m, u32 app, u32 code, u16 usual)
{
    u8 *tag = p++;
    u32 form = 0;
    if (app > 0xff)
        form |= WIDE_APP;
    if (code > 0xff)
        form |= WIDE_CODE;
    if (m->restore != usual)
        form |= OWN_RESTORE;
    if (m->is_run)
        form |= IS_RUN;
    p = put(p, &app, form & WIDE_APP ? 4 : 1);
    p = put(p, &code, form & WIDE_CODE ? 2 : 1);
    if (form & OWN_RESTORE)
        p = put(p, &m->restore, 2);
    *tag = (u8)(form << 4 | LONG);
    return p;
}

static u8 *write_two(u8 *p, u32 first, u32 second)
{
    p[0] = (u8)first;
    p[1] = (u8)second;
    return p + 2;
}

static u32 field(u32 parked, u32 k) { return parked >> k * MAP_FIELD & ((1u << MAP_FIELD) - 1); }

static u8 *write_changes(u8 *p, u32 from, u32 to)
{
    for (u32 k = 0; k < MAP_FIELDS; k++)
        if (field(from, k) != field(to, k))
            p = write_two(p, k << 4 | PARKED, field(to, k));
    return p;
}

u32 map_write(u8 *to, const struct map_entry *list, u32 n, u16 usual, const struct map_change *change)
{
    u32 parked = 0;
    u8 *p = put(to, &usual, MAP_HEAD);
    struct map_entry last = { 0 };
    for (u32 i = 0; i < n; i++) {
        const struct map_entry *m = &list[i];
        u32 app = (u32)m->app - (u32)last.app, code = (u32)m->code - last.code;
        for (; UNLIKELY(change->at == i); change++) {
            p = write_changes(p, parked, change->parked);
            parked = change->parked;
        }
        if (m->restore != usual)
            p = write_long(p, m, app, code, usual);
        else if (app <= 15 && code < PARKED && !m->is_run)
            *p++ = (u8)(app << 4 | code);
        else if (app == code && app <= 0xfff && !m->is_run)
            p = write_two(p, app >> 8 << 4 | SAME, app);
        else if (app <= 15 && code <= 0xff && m->is_run)
            p = write_two(p, app << 4 | RUN, code);
        else
            p = write_long(p, m, app, code, usual);
        last = *m;
    }
    return (u32)(p - to);
}

struct map_reader map_begin(const struct trace *t)
{
    const u8 *map = trace_map(t);
    struct map_reader r = { .p = map + MAP_HEAD, .end = map + t->map_size };
    memcpy(&r.usual, map, MAP_HEAD);
    return r;
}

static u32 take(struct map_reader *r, u32 n)
{
    u32 v = 0;
    memcpy(&v, r->p, n);
    r->p += n;
    return v;
}

static void read_changes(struct map_reader *r)
{
    for (; (*r->p & 15) == PARKED; r->p += 2) {
        u32 k = *r->p >> 4, now = r->parked;
        r->parked = now ^ (field(now, k) ^ r->p[1]) << k * MAP_FIELD;
    }
}

bool map_next(struct map_reader *r)
{
    if (r->p >= r->end)
        return false;
    read_changes(r);
    u32 tag = *r->p++, app = tag >> 4, code = tag & 15;
    r->last.restore = r->usual;
    r->last.is_run = false;
    if (code == SAME) {
        app = code = app << 8 | take(r, 1);
    } else if (code == RUN) {
        code = take(r, 1);
        r->last.is_run = true;
    } else if (code == LONG) {
        u32 form = app;
        app = take(r, form & WIDE_APP ? 4 : 1);
        code = take(r, form & WIDE_CODE ? 2 : 1);
        if (form & OWN_RESTORE)
            r->last.restore = (u16)take(r, 2);
        r->last.is_run = form & IS_RUN;
    }
    r->last.app = (s32)((u32)r->last.app + app);
    r->last.code = (u16)(r->last.code + code);
    return true;
}
