/* map.c: the encoding of the records. A record begins with a byte: in its lower half how far the code moved on, in its upper
 * half how far the application's address did. Most need no more. If the lower half is LONG, the upper one says what follows. */
#include "engine/cache/map.h"
#include "base/str.h"

enum { LONG = 15, WIDE_APP = 1, WIDE_CODE = 2, OWN_RESTORE = 4, IS_RUN = 8 };

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

u32 map_write(u8 *to, const struct map_entry *list, u32 n, u16 usual)
{
    u8 *p = put(to, &usual, MAP_HEAD);
    struct map_entry last = { 0 };
    for (u32 i = 0; i < n; i++) {
        const struct map_entry *m = &list[i];
        u32 app = (u32)m->app - (u32)last.app, code = (u32)m->code - last.code;
        if (app <= 15 && code < LONG && m->restore == usual && !m->is_run)
            *p++ = (u8)(app << 4 | code);
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

bool map_next(struct map_reader *r)
{
    if (r->p >= r->end)
        return false;
    u32 tag = *r->p++, app = tag >> 4, code = tag & 15;
    r->last.restore = r->usual;
    r->last.is_run = false;
    if (code == LONG) {
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
