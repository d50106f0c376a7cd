/* records.c: the records that one stretch writes into buffers. The thread's place in a buffer moves on once, by a sum; each record
 * knows its distance from it. Whether there is room is asked once, for the stretches behind it too as far as it goes. */
#include "engine/jit/promote/promote_int.h"

static struct { struct { struct call *call; u32 insn; s32 size; } all[MAX_RECORDS]; u32 n; } records;
/* What the last look at the room was good for, and how much of that is used. */
static struct { bool is_known; u8 buffer; u32 used; } room;

void records_forget_room(void) { room.is_known = false; }
bool records_have_room(void) { return records.n < MAX_RECORDS; }

void records_add(u32 i, struct call **link, struct call *c)
{
    struct count place;
    arch_record_place(c, &place);
    stretch_add(i, link, &place);
    records.all[records.n++] = (typeof(records.all[0])){ c, i, (s32)place.amount };
}

/* ---- distances ---- */
static u32 count_of_buffer(u32 buffer, u32 up_to)
{
    u32 n = 0;
    for (u32 k = 0; k < up_to; k++)
        n += records.all[k].call->buffer == buffer;
    return n;
}

static void place(u32 to)
{
    for (u32 k = 0; k < records.n; k++) {
        struct call *c = records.all[k].call;
        s32 before = (s32)count_of_buffer(c->buffer, k), all = (s32)count_of_buffer(c->buffer, records.n);
        bool is_behind = records.all[k].insn >= to;
        c->record = RECORD_HERE;
        c->shift = (before - (is_behind ? all : 0)) * records.all[k].size;
    }
}

/* ---- room ---- */
static struct call *new_room(const struct call *record, struct call *next)
{
    struct call *c = instr_new_call(0);
    c->flags = CALL_BUFFER;
    c->buffer = record->buffer;
    c->record = RECORD_ROOM;
    c->next = next;
    return c;
}

static bool has_known_room(u32 buffer, u32 n)
{
    return room.is_known && room.buffer == buffer && room.used + n <= MAX_RECORDS && opt->opt_level >= OPT_SCHEDULE;
}

static bool take_known_room(u32 buffer, u32 n)
{
    bool is_known = has_known_room(buffer, n);
    room.used = (is_known ? room.used : 0) + n;
    room.is_known = true;
    room.buffer = (u8)buffer;
    return is_known;
}

/* In front of the first record, or earlier if the flags are free there; but not across another call. */
static struct call **room_link(const struct view *v, u32 home, struct call **link)
{
    if (opt->opt_level < OPT_SCHEDULE || arch_flags_are_dead(v->insn, home, v->n))
        return link;
    for (u32 k = home; k-- > 0 && !stretch_is_boundary(v, k) && !instr_of(k);)
        if (arch_flags_are_dead(v->insn, k, v->n))
            return &instr_request(k)->call[POINT_BEFORE];
    return link;
}

static void ask_for_room(struct call **link)
{
    for (u32 k = 0; k < records.n; k++) {
        struct call *c = records.all[k].call;
        bool is_first = !count_of_buffer(c->buffer, k);
        if (is_first && !take_known_room(c->buffer, count_of_buffer(c->buffer, records.n)))
            *link = new_room(c, *link);
    }
}

void records_end(const struct view *v, u32 home, struct call **link, u32 to)
{
    if (!records.n)
        return;
    place(to);
    ask_for_room(room_link(v, home, link));
    records.n = 0;
}

/* ---- records by themselves ---- */
struct call *records_convert(struct call *c)
{
    struct count place;
    arch_record_place(c, &place);
    c->record = RECORD_HERE;
    c->shift = -(s32)place.amount;
    return new_room(c, stretch_new_count(&place, c));
}

/* Of an instruction that may do nothing: those of one buffer, with their room and their sum in front of them, make one group, of which
 * all or nothing is done. */
struct call **records_group(const struct view *v, u32 i, struct call **p)
{
    struct call *first = *p, *last = first;
    struct count place;
    s32 n = 1;
    while (last->next && n < MAX_RECORDS && last->next->flags & CALL_PREDICATED && last->next->buffer == first->buffer &&
           arch_records(v, i, POINT_BEFORE, last->next)) {
        last = last->next;
        n++;
    }
    bool is_known = has_known_room(first->buffer, (u32)n);
    room.used += (u32)n;                                  /* perhaps */
    arch_record_place(first, &place);
    s32 shift = -n * (s32)place.amount;
    for (struct call *c = first; c != last->next; c = c->next, shift += (s32)place.amount) {
        c->record = RECORD_HERE;
        c->shift = shift;
    }
    place.amount *= n;
    struct call *count = stretch_new_count(&place, first);
    *p = new_room(first, count);
    (*p)->value = is_known;
    count->flags |= CALL_PREDICATED;
    (*p)->flags |= CALL_PREDICATED;
    return &last->next;
}
