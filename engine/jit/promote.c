/* promote.c: see promote.h. */
#include "engine/jit/promote.h"
#include "base/heap.h"
#include "base/lock.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/jit/countdown.h"
#include "engine/jit/optreport.h"
#include "engine/thread.h"

/* ---- words and their slots ---- */
enum { STRIPES = 8, MAX_PROMOTED = 4096, MAX_GROUPS = 1 << 18, FEW_GROUPS = 1 << 12, PLACES = 4, PINNED = 0xffffffff };
struct word { u64 at; u32 places; u16 number; bool is_grouped, is_down; };         /* number: of its promotion + 1 */
struct promoted { u64 at, folded; u8 size; };

static struct { struct word *slot; u32 size, used; } words;      /* open addressing; cache lock */
static struct promoted promoted[MAX_PROMOTED];
static u64 stripe[MAX_PROMOTED][STRIPES] __attribute__((aligned(64)));     /* in the image: emitted code reaches it */
static u32 n_promoted;                                    /* grows under the cache lock */

/* A stretch that counts in several words: what one run of it adds. */
struct group { u32 n; struct count each[]; };
static struct group *group[MAX_GROUPS];
static u64 group_runs[MAX_GROUPS], group_folded[MAX_GROUPS];
static u32 n_groups;
static bool is_forbidden, has_visits;
static struct lock fold_lock;

static struct word *place_of(struct word *slot, u32 size, u64 at)
{
    u32 i = (u32)((at >> 2) * 0x9e3779b1u) & (size - 1);
    while (slot[i].at && slot[i].at != at)
        i = (i + 1) & (size - 1);
    return &slot[i];
}

static void grow_words(void)
{
    u32 size = words.size ? words.size * 2 : 1024;
    struct word *slot = heap_alloc(size * sizeof *slot);
    for (u32 i = 0; i < words.size; i++)
        if (words.slot[i].at)
            *place_of(slot, size, words.slot[i].at) = words.slot[i];
    if (words.slot)
        heap_free(words.slot, words.size * sizeof *slot);
    words.slot = slot;
    words.size = size;
}

static struct word *word_at(u64 at)
{
    if (words.used * 2 >= words.size)
        grow_words();
    struct word *w = place_of(words.slot, words.size, at);
    if (!w->at) {
        w->at = at;
        words.used++;
    }
    return w;
}

/* ---- folding ---- */
/* A thread of the application's that is alone needs no lock; a tool's own threads end promotion. */
static void add_to(void *at, u32 size, u64 more)
{
    bool is_alone = thr_alone() && !is_forbidden;
    if (is_alone && size == 8)
        *(u64 *)at += more;
    else if (is_alone)
        *(u32 *)at += (u32)more;
    else if (size == 8)
        __atomic_fetch_add((u64 *)at, more, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add((u32 *)at, (u32)more, __ATOMIC_RELAXED);
}

static void fold_one(struct promoted *p, const u64 *slots)
{
    u64 sum = 0;
    for (u32 i = 0; i < STRIPES; i++)
        sum += slots[i];
    u64 more = sum - p->folded;
    p->folded = sum;
    if (more)
        add_to((void *)p->at, p->size, more);
}

static void fold_group(u32 i)
{
    u64 more = group_runs[i] - group_folded[i];
    group_folded[i] += more;
    for (u32 k = 0; more && k < group[i]->n; k++)
        add_to((void *)group[i]->each[k].at, group[i]->each[k].size, more * (u64)group[i]->each[k].amount);
}

/* Most stretches have not run since the last time: eight are looked at together. The rest of the last eight is all zero. */
enum { TOGETHER = 8 };
_Static_assert(MAX_GROUPS % TOGETHER == 0, "");
static bool have_run(u32 i)
{
    u64 differs = 0;
#pragma GCC unroll 8
    for (u32 k = i; k < i + TOGETHER; k++)
        differs |= group_runs[k] ^ group_folded[k];
    return differs;
}

static void fold_groups(void)
{
    for (u32 i = 0; i < n_groups; i += TOGETHER)
        if (UNLIKELY(have_run(i)))
            for (u32 k = i; k < i + TOGETHER; k++)
                fold_group(k);
}

/* ---- callbacks ---- */
enum { MAX_NEW = 8 };
static struct {
    const void *new[MAX_NEW];                  /* not looked at yet: they are registered before the engine starts */
    u32 n_new;
    bool (*is_blind)(const void *fn);
    struct sight sight;
    bool see_any;
    const void *running;                       /* in this thread */
} callbacks;

void promote_callback(const void *fn, bool (*is_blind)(const void *fn))
{
    callbacks.is_blind = is_blind;
    if (callbacks.n_new < MAX_NEW)
        callbacks.new[callbacks.n_new++] = fn;
    else
        callbacks.see_any = true;
}

static bool is_elsewhere(u64 at)
{
    const struct word *w = word_at(at);
    return w->number || w->is_grouped || w->is_down;
}

static void look_at_callback(const void *fn)
{
    struct sight *s = &callbacks.sight;
    u32 known = s->n;
    callbacks.see_any |= !arch_sees_words_only(fn, callbacks.is_blind, s);
    for (u32 i = known; i < s->n; i++)
        callbacks.see_any |= is_elsewhere(s->word[i]) || is_elsewhere(s->word[i] + 4);
}

/* Slots are about to hold what belongs to a word. */
static void show_to_callbacks(u64 at)
{
    for (u32 i = 0; i < callbacks.sight.n; i++)
        callbacks.see_any |= callbacks.sight.word[i] == (at & ~7ull);
}

void promote_spare(bool on)
{
    while (callbacks.n_new)
        look_at_callback(callbacks.new[--callbacks.n_new]);
    callbacks.running = on && !callbacks.see_any ? &thr_self : NULL;
}

static bool is_on(void) { return n_promoted || n_groups || countdown_is_on(); }

void promote_fold(void)
{
    if (!is_on() || callbacks.running == &thr_self)
        return;
    lock_take(&fold_lock);
    for (u32 i = 0; i < n_promoted; i++)
        fold_one(&promoted[i], stripe[i]);
    fold_groups();
    countdown_fold();
    lock_drop(&fold_lock);
}

void promote_forked(void) { lock_reset(&fold_lock); }
struct lock *promote_lock(void) { return &fold_lock; }

/* ---- when promotion ends ---- */
void promote_forbid(void)
{
    if (is_forbidden)
        return;
    is_forbidden = true;
    if (is_on())
        cache_flush_all();                                /* threads still inside add to slots, which go on being folded */
    countdown_end();
}

static void end_countdowns(void)
{
    if (!countdown_is_on())
        return;
    cache_flush_all();
    countdown_end();
}

static bool has_bulk;                                     /* of a repeated instruction whose iterations are made at once */
static bool has_loops;                                    /* that count in a register */
static bool is_shared;                                    /* there are threads, or have been */

bool promote_is_shared(void) { return is_shared; }
static bool may_be_bulk(const struct insn *in) { return !is_shared && arch_repeats_counted(in); }

void promote_not_alone(void)
{
    if (is_shared)
        return;
    cache_lock_take();
    is_shared = true;
    if (has_bulk || has_loops)
        cache_flush_all();                                /* see countdown.h, (3), and find_loop */
    cache_lock_drop();
}

void promote_fold_in_visit(void)
{
    enum { ENOUGH = 1 << 24 };
    static u64 work;
    promote_fold();
    if (!countdown_pays()) {
        cache_lock_take();
        end_countdowns();
        cache_lock_drop();
    }
    if ((work += n_promoted + n_groups / 16) < ENOUGH || is_forbidden)
        return;
    cache_lock_take();
    promote_forbid();
    cache_lock_drop();
}

bool promote_keeps_registers(const void *fn) { return fn == (const void *)countdown_exact; }

bool promote_folds_visits(void)
{
    has_visits = true;
    return is_on();
}

/* ---- promoting ---- */
enum { MAX_SUMS = 64 };                                   /* of one stretch */
static bool may_promote(void) { return !is_forbidden && opt->opt_level >= OPT_PROMOTE; }

static void begin(void)
{
    if (!is_on() && has_visits)
        cache_flush_all();                                /* they do not fold yet */
}

static bool promote(struct word *w, u8 size)
{
    if (!may_promote() || n_promoted == MAX_PROMOTED)
        return false;
    begin();
    show_to_callbacks(w->at);
    promoted[n_promoted] = (struct promoted){ .at = w->at, .size = size };
    w->number = ++n_promoted;
    return true;
}

/* Emitted code reaches it, or a slot in its place: then for each of the sums that may be pending, too. What decides this does not
 * change before the stretch ends. */
static bool can_add_to(const struct count *c, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        if (c[i].is_tls || arch_reaches(c[i].at))
            continue;
        struct word *w = word_at(c[i].at);
        if (w->places == PINNED || !may_promote() || (!w->number && n_promoted + MAX_SUMS + MAX_COUNTS > MAX_PROMOTED))
            return false;
    }
    return true;
}

/* Where to add to the word: it, or one of its slots. */
static void redirect(struct count *c)
{
    if (c->is_tls)
        return;
    struct word *w = word_at(c->at);
    if (w->places == PINNED)
        return;
    bool is_far = !arch_reaches(c->at);
    w->places++;
    if (!w->number && ((w->places <= PLACES && !is_far) || !promote(w, c->size)))
        return;
    if (is_forbidden)
        return;
    c->at = (u64)&stripe[w->number - 1][w->places % STRIPES];
    c->size = 8;
}

/* Code in traces reads or writes this word itself. */
static void pin(u64 at)
{
    struct word *w = word_at(at);
    if (w->number || w->is_grouped || (w->is_down && countdown_is_on()))
        promote_forbid();
    w->places = PINNED;
}

/* ---- sums of one stretch of code that is left only at its end ---- */
enum { MAX_MOVED = 2048 };
struct sum { struct count c; };
struct moved { u64 at; s32 amount; u16 from, to; u8 size; bool is_tls, is_each; };    /* from, to: instructions, later map records */

static struct {
    struct sum sum[MAX_SUMS];
    u32 n;
    u32 home;                               /* the first sum's instruction, and where in its list that stood */
    struct call **link;
    struct { struct call *call; u32 insn; s32 size; } record[MAX_RECORDS];
    u32 n_records;
} area;
static struct { struct { u32 insn, sum; s64 amount; } all[MAX_MOVED]; u32 n; } logical;     /* of this stretch */
static struct { struct moved all[MAX_MOVED]; u32 n; } moved;                                  /* of the trace */

static bool is_boundary(const struct view *v, u32 i)
{
    const struct insn *in = &v->insn[i];
    return (in->kind != INSN_PLAIN && in->kind != INSN_JUMP) || arch_is_repeated(in) || instr_jump(i, POINT_BEFORE) ||
           instr_jump(i, POINT_AFTER);
}

/* Counting calls stand where the flags are free, if there is such a place up to instruction `last`. */
static u32 best_place(const struct view *v, u32 last, bool *is_free)
{
    *is_free = true;
    for (u32 k = area.home; k <= last; k++)
        if (arch_flags_are_dead(v->insn, k, v->n))
            return k;
    *is_free = false;
    return area.home;
}

static struct call *new_count(const struct count *c, struct call *next)
{
    struct call *n = instr_new_call(2);
    n->flags = CALL_COUNT;
    n->n_args = 2;
    n->buffer = (u8)(c->size | (c->is_tls ? COUNT_TLS : 0));
    n->arg[0].value = c->at;
    n->arg[1].value = (u64)c->amount;
    n->next = next;
    return n;
}

static void note_moved(u32 to)
{
    for (u32 i = 0; i < logical.n; i++) {
        const struct count *c = &area.sum[logical.all[i].sum].c;
        if (logical.all[i].insn != to)
            moved.all[moved.n++] = (struct moved){ c->at, (s32)logical.all[i].amount, (u16)logical.all[i].insn, (u16)to, c->size,
                                                   c->is_tls, false };
    }
}

/* ---- records ---- */
static bool is_first_of_buffer(u32 k)
{
    for (u32 i = 0; i < k; i++)
        if (area.record[i].call->buffer == area.record[k].call->buffer)
            return false;
    return true;
}

/* Each record's distance from the thread's place in the buffer, which moves on in front of instruction `to`. */
static void place_records(u32 to)
{
    for (u32 k = 0; k < area.n_records; k++) {
        u32 before = 0, all = 0;
        for (u32 i = 0; i < area.n_records; i++)
            if (area.record[i].call->buffer == area.record[k].call->buffer) {
                all++;
                before += i < k;
            }
        bool is_behind = area.record[k].insn >= to;
        area.record[k].call->record = RECORD_HERE;
        area.record[k].call->shift = ((s32)before - (is_behind ? (s32)all : 0)) * area.record[k].size;
    }
}

static struct call *new_room(const struct call *record, struct call *next)
{
    struct call *c = instr_new_call(0);
    c->flags = CALL_BUFFER;
    c->buffer = record->buffer;
    c->record = RECORD_ROOM;
    c->next = next;
    return c;
}

/* In front of the first record, or earlier if the flags are free there; but not across another call. */
static struct call **room_link(const struct view *v)
{
    if (opt->opt_level < OPT_SCHEDULE || arch_flags_are_dead(v->insn, area.home, v->n))
        return area.link;
    for (u32 k = area.home; k-- > 0 && !is_boundary(v, k) && !instr_of(k);)
        if (arch_flags_are_dead(v->insn, k, v->n))
            return &instr_request(k)->call[POINT_BEFORE];
    return area.link;
}

/* What the last look at the room was good for, and how much of that is used. */
static struct { bool is_known; u8 buffer; u32 used; } room;

static bool has_known_room(u32 buffer, u32 n)
{
    return room.is_known && room.buffer == buffer && room.used + n <= MAX_RECORDS && opt->opt_level >= OPT_SCHEDULE;
}

static bool is_known_room(u32 buffer, u32 n)
{
    bool is_known = has_known_room(buffer, n);
    room.used = (is_known ? room.used : 0) + n;
    room.is_known = true;
    room.buffer = (u8)buffer;
    return is_known;
}

static u32 count_of_buffer(u32 buffer)
{
    u32 n = 0;
    for (u32 k = 0; k < area.n_records; k++)
        n += area.record[k].call->buffer == buffer;
    return n;
}

static void ask_for_room(const struct view *v)
{
    struct call **link = area.n_records ? room_link(v) : NULL;
    for (u32 k = 0; k < area.n_records; k++) {
        struct call *c = area.record[k].call;
        if (is_first_of_buffer(k) && !is_known_room(c->buffer, count_of_buffer(c->buffer)))
            *link = new_room(c, *link);
    }
}

/* ---- groups ---- */
static bool may_be_grouped(const struct count *c)
{
    return !c->is_tls && word_at(c->at)->places != PINNED;
}

/* All sums that are no thread's own become one. */
static void make_group(struct call **link)
{
    u32 n = 0;
    for (u32 i = 0; i < area.n; i++)
        n += may_be_grouped(&area.sum[i].c);
    if (n < 2 || n_groups >= (callbacks.see_any ? FEW_GROUPS : MAX_GROUPS) || !may_promote())
        return;
    begin();
    struct group *g = heap_alloc(sizeof *g + n * sizeof *g->each);
    for (u32 i = 0; i < area.n; i++) {
        struct count *c = &area.sum[i].c;
        if (!may_be_grouped(c))
            continue;
        word_at(c->at)->is_grouped = true;
        show_to_callbacks(c->at);
        g->each[g->n++] = *c;
        c->amount = 0;                                    /* not by itself */
    }
    group[n_groups] = g;
    struct count runs = { (u64)&group_runs[n_groups], 1, 8, false };
    *link = new_count(&runs, *link);
    n_groups++;
}

/* The stretch ends in front of the calls of instruction `last`, or (home == last) at the present place in its list. */
static void end_stretch(const struct view *v, u32 last)
{
    if (!area.n)
        return;
    bool is_free;
    u32 to = best_place(v, last, &is_free);
    struct call **link = to == area.home ? area.link : &instr_request(to)->call[POINT_BEFORE], *before = *link;
    make_group(link);
    for (u32 i = 0; i < area.n; i++) {
        if (!area.sum[i].c.amount)
            continue;
        redirect(&area.sum[i].c);
        *link = new_count(&area.sum[i].c, *link);
    }
    for (struct call *c = *link; c != before; c = c->next)
        c->is_free = is_free;
    note_moved(to);
    place_records(to);
    ask_for_room(v);
    area.n = logical.n = area.n_records = 0;
}

static bool has_room(u32 more)
{
    return area.n + more <= MAX_SUMS && moved.n + logical.n + more <= MAX_MOVED;
}

static void add_sum(u32 i, struct call **link, const struct count *c)
{
    u32 k = 0;
    if (!c->is_tls && word_at(c->at)->is_down)
        end_countdowns();
    while (k < area.n && (area.sum[k].c.at != c->at || area.sum[k].c.is_tls != c->is_tls || area.sum[k].c.size != c->size))
        k++;
    if (!area.n) {
        area.home = i;
        area.link = link;
    }
    if (k == area.n)
        area.sum[area.n++].c = (struct count){ c->at, 0, c->size, c->is_tls };
    area.sum[k].c.amount += c->amount;
    logical.all[logical.n++] = (typeof(logical.all[0])){ i, k, c->amount };
}

static bool is_small(s64 v) { return v > -0x8000000 && v < 0x8000000; }    /* sums of many still fit an immediate */

static u32 counts_of(const struct call *c, struct count *out)
{
    u32 n;
    if (opt->opt_level < OPT_SCHEDULE || c->flags & ~(CALL_ANYWHERE | CALL_PRESERVES) || !c->fn || !arch_counts(c, out, &n))
        return 0;
    for (u32 i = 0; i < n; i++)
        if (!is_small(out[i].amount))
            return 0;
    return n;
}

bool promote_takes(const struct view *v, u32 i, enum point p, const struct call *c)
{
    struct count out[MAX_COUNTS];
    return arch_records(v, i, p, c) || counts_of(c, out);
}

/* An If that counts down, with its Then: another If, whose routine is exact and rarely called. NULL: it is none. */
static struct call *count_down(struct call *at, bool is_bulk)
{
    struct count c;
    u32 number;
    if (at->flags != CALL_IF || !at->next || at->next->flags & CALL_PREDICATED || !may_promote() ||
        !arch_counts_down(at, &c) || !arch_reaches(c.at))
        return NULL;
    struct word *w = word_at(c.at);
    if (w->places || w->number || w->is_grouped)
        return NULL;
    begin();
    show_to_callbacks(c.at);
    u64 *slot = countdown_place(&c, is_bulk, &number);
    if (!slot)
        return NULL;
    w->is_down = true;
    optreport_counted(at);
    struct call *down = instr_new_call(1);
    down->next = at->next;
    down->fn = countdown_exact;
    down->order = at->order;
    down->flags = at->flags;
    down->n_args = 1;
    down->arg[0].value = number;                          /* of kind ARG_CONST */
    down->guard = (u64)slot;
    return down;
}

/* A call that stays one: what may its routine look at, standing in the trace? A Then never does. */
static void look_at(const struct call *c)
{
    u64 seen[MAX_SEEN_WORDS];
    struct count counted[MAX_COUNTS];
    u32 n = counts_of(c, counted);
    if (c->flags & CALL_THEN)
        return;
    if (n) {                                              /* one that cannot be reached: nothing but its words */
        for (u32 i = 0; i < n; i++)
            if (!counted[i].is_tls)
                pin(counted[i].at);
        return;
    }
    switch (arch_sight(c, seen, &n)) {
    case SEES_ANY: promote_forbid(); break;
    case SEES_WORDS:
        for (u32 i = 0; i < n; i++)
            pin(seen[i]);
        break;
    default: break;
    }
}

static void add_record(u32 i, struct call **link, struct call *c)
{
    struct count place;
    arch_record_place(c, &place);
    add_sum(i, link, &place);
    area.record[area.n_records++] = (typeof(area.record[0])){ c, i, (s32)place.amount };
}

/* Records of an instruction that may do nothing: those of one buffer, with their room and their sum in front of them, make
 * one group, of which all or nothing is done. */
static struct call **group_predicated(const struct view *v, u32 i, struct call **p)
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
    struct call *count = new_count(&place, first);
    *p = new_room(first, count);
    (*p)->value = is_known;
    count->flags |= CALL_PREDICATED;
    (*p)->flags |= CALL_PREDICATED;
    return &last->next;
}

/* Calls in front of instruction i. */
static void gather(const struct view *v, u32 i)
{
    struct count c[MAX_COUNTS];
    struct insn_request *r = instr_request(i);
    for (struct call **p = &r->call[POINT_BEFORE], *at; (at = *p);) {
        if (at->flags & CALL_COUNT || at->record) {
            p = &at->next;
            continue;
        }
        if (arch_records(v, i, POINT_BEFORE, at)) {
            if (at->flags & CALL_PREDICATED) {
                end_stretch(v, i);
                if (*p == at)
                    p = group_predicated(v, i, p);
                continue;
            }
            if (!has_room(1) || area.n_records == MAX_RECORDS) {
                end_stretch(v, i);
                continue;
            }
            add_record(i, p, at);
            p = &at->next;
            if (opt->opt_level < OPT_SCHEDULE)
                end_stretch(v, i);
            continue;
        }
        u32 n = counts_of(at, c);
        if (!n || !has_room(n) || !can_add_to(c, n)) {
            end_stretch(v, i);
            if (*p != at)
                continue;                                 /* the sums now stand here */
            room.is_known = false;
            struct call *down = count_down(at, i == 0 && may_be_bulk(&v->insn[i]));
            if (down)
                *p = down;
            else
                look_at(at);
            p = &(*p)->next;
            continue;
        }
        optreport_counted(at);
        *p = at->next;
        for (u32 k = 0; k < n; k++)
            add_sum(i, p, &c[k]);
    }
}

/* Calls behind it or on its branch: sums stay where they are. */
static struct call *convert_record(struct call *at)
{
    struct count place;
    arch_record_place(at, &place);
    at->record = RECORD_HERE;
    at->shift = -(s32)place.amount;
    return new_room(at, new_count(&place, at));
}

static void convert(const struct view *v, u32 i, enum point point)
{
    struct count c[MAX_COUNTS];
    for (struct call **p = &instr_request(i)->call[point], *at; (at = *p); p = &(*p)->next) {
        if (arch_records(v, i, point, at)) {
            *p = convert_record(at);
            p = &(*p)->next;
            p = &(*p)->next;
            continue;
        }
        u32 n = counts_of(at, c);
        if (!n || !can_add_to(c, n)) {
            look_at(at);
            continue;
        }
        optreport_counted(at);
        *p = at->next;
        for (u32 k = n; k-- > 0;) {
            redirect(&c[k]);
            *p = new_count(&c[k], *p);
        }
        for (u32 k = 1; k < n; k++)
            p = &(*p)->next;
    }
}

/* ---- repeated instructions ---- */
static bool can_be_each(const struct count *c, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (c[i].amount != 1 && c[i].amount != 2 && c[i].amount != 4 && c[i].amount != 8)
            return false;
    return n && can_add_to(c, n);
}

/* Is nothing asked of instruction i but sums? */
static bool is_counted_only(u32 i)
{
    const struct insn_request *r = instr_of(i);
    struct count c[MAX_COUNTS];
    if (!r->call[POINT_BEFORE] || r->call[POINT_AFTER] || r->call[POINT_TAKEN] || r->is_deleted || r->is_moved || r->has_version ||
        r->jump[0].is_on || r->jump[1].is_on)
        return false;
    for (const struct call *at = r->call[POINT_BEFORE]; at; at = at->next)
        if (at->is_case || !can_be_each(c, counts_of(at, c)))
            return false;
    return true;
}

static void note_each(u32 i)
{
    for (u32 k = 0; k < logical.n; k++) {
        const struct count *c = &area.sum[logical.all[k].sum].c;
        moved.all[moved.n++] = (struct moved){ c->at, (s32)logical.all[k].amount, (u16)i, (u16)i, c->size, c->is_tls, true };
    }
}

/* The trace begins with instruction i. (Elsewhere only one iteration is made: for the others, blocks and traces begin there.) */
static void count_at_once(const struct view *v, u32 i)
{
    struct insn_request *r = instr_request(i);
    gather(v, i);
    if (r->call[POINT_BEFORE] || !area.n)
        return;                                           /* not all of them fitted */
    r->is_at_once = true;
    make_group(&r->call[POINT_BEFORE]);
    for (u32 k = 0; k < area.n; k++) {
        if (!area.sum[k].c.amount)
            continue;
        redirect(&area.sum[k].c);
        r->call[POINT_BEFORE] = new_count(&area.sum[k].c, r->call[POINT_BEFORE]);
    }
    for (struct call *c = r->call[POINT_BEFORE]; c; c = c->next)
        c->is_each = true;
    note_each(i);
    area.n = logical.n = 0;
}

static bool has_other_calls(u32 i) { return instr_calls(i, POINT_AFTER) || instr_calls(i, POINT_TAKEN); }

/* The same for an If that counts down: it was found to be one. */
static void count_down_at_once(void)
{
    struct insn_request *r = instr_request(0);
    const struct call *c = r->call[POINT_BEFORE];
    if (!c || !c->guard || !c->next || c->next->next || has_other_calls(0) || r->is_deleted || r->is_moved || r->has_version ||
        r->jump[0].is_on || r->jump[1].is_on)
        return;
    r->is_by_budget = has_bulk = true;
    moved.all[moved.n++] = (struct moved){ c->guard, -1, 0, 0, 8, false, true };
}

/* The dispatcher performs it, and makes the calls behind it. */
static bool is_performed(const struct insn *in) { return in->kind == INSN_SYSCALL || in->kind == INSN_EMULATE; }

/* What follows it in the trace runs right behind it, if at all. */
static bool goes_on(const struct insn *in) { return in->kind == INSN_PLAIN || in->kind == INSN_COND || in->kind == INSN_JUMP; }

/* ---- loops ----
 * Additions to memory in a small loop wait for each other, longer than the loop takes without. So a loop that is one trace counts in a
 * register of the engine's. Tool code of this thread cannot run before it has left the trace, and then the word is right; that of
 * another thread could look meanwhile, so this is done only as long as there is one. */
static u64 loop_word;

/* With a branch out of its middle it may be left there in every round, and then adding up costs more than it saves. */
static bool is_loop(const struct view *v)
{
    const struct insn *last = &v->insn[v->n - 1];
    for (u32 i = 0; i + 1 < v->n; i++)
        if (v->insn[i].kind != INSN_PLAIN && v->insn[i].kind != INSN_JUMP)
            return false;
    return (last->kind == INSN_COND && last->target == v->insn[0].pc) || (v->falls && v->fall == v->insn[0].pc);
}

/* The slots of a word stand for each other. */
static u64 row_of(u64 at) { return at - (u64)stripe < sizeof stripe ? (at - (u64)stripe) / sizeof stripe[0] + 1 : at; }

static bool counts_in(u64 row, const struct insn_request *r)
{
    if (r->call[POINT_AFTER] || r->call[POINT_TAKEN] || r->is_deleted || r->is_moved || r->has_version || r->jump[0].is_on ||
        r->jump[1].is_on)
        return false;
    for (const struct call *c = r->call[POINT_BEFORE]; c; c = c->next)
        if (!(c->flags & CALL_COUNT) || c->flags & CALL_PREDICATED || c->is_each || c->buffer != 8 || row_of(count_at(c)) != row)
            return false;
    return true;
}

static void find_loop(const struct view *v)
{
    const struct call *one = NULL;
    loop_word = 0;
    if (!may_promote() || is_shared || opt->check_state || !is_loop(v))
        return;
    FOR_EACH_REQUEST(i, v->n) {
        one = one ? one : instr_calls(i, POINT_BEFORE);
        if (!one || !counts_in(row_of(count_at(one)), instr_of(i)))
            return;
    }
    loop_word = one ? count_at(one) : 0;
}

u64 promote_loop_word(void) { return loop_word; }

void promote_run(const struct view *v)
{
    room.is_known = false;
    area.n = logical.n = moved.n = 0;
    for (u32 i = 0; i < v->n; i++) {
        bool is_asked = instr_of(i) != NULL;
        if (i == 0 && is_asked && arch_repeats_counted(&v->insn[i]) && is_counted_only(i))
            count_at_once(v, i);
        if (is_asked)
            gather(v, i);
        if (i == 0 && is_asked && may_be_bulk(&v->insn[i]))
            count_down_at_once();
        if (is_boundary(v, i) || (is_asked && has_other_calls(i)))
            end_stretch(v, i);
        if ((is_asked && has_other_calls(i)) || !goes_on(&v->insn[i]))
            room.is_known = false;
        if (is_asked) {
            if (!is_performed(&v->insn[i]))
                convert(v, i, POINT_AFTER);
            convert(v, i, POINT_TAKEN);
        }
    }
    end_stretch(v, v->n - 1);
    find_loop(v);
}

/* ---- settling ---- */
struct kept_moves { u64 loop_word; u32 n; struct moved all[]; };

void *promote_keep(const u16 *entry, bool is_in_register)
{
    if (!moved.n && !is_in_register)
        return NULL;
    has_loops |= is_in_register;
    struct kept_moves *k = instr_keep(sizeof *k + moved.n * sizeof *k->all);
    k->loop_word = is_in_register ? loop_word : 0;
    k->n = moved.n;
    for (u32 i = 0; i < moved.n; i++) {
        k->all[i] = moved.all[i];
        k->all[i].from = entry[moved.all[i].from];
        k->all[i].to = entry[moved.all[i].to];
    }
    moved.n = 0;
    return k;
}

static void adjust(const struct moved *m, s64 by)
{
    add_to((u8 *)m->at + (m->is_tls ? (u64)__builtin_thread_pointer() : 0), m->size, (u64)by);
}

/* Of n iterations (none counts as one) those that are left will be counted again, but for the one that has begun. */
static void settle_each(const struct moved *m, bool has_begun, u64 left)
{
    u64 n = MAX(left, 1ul) - has_begun;
    adjust(m, -(s64)(n * (u64)m->amount));
}

void promote_settle(const struct trace *t, u32 entry, bool has_begun, u64 left, u64 in_register)
{
    const struct annex *a = trace_annex(t);
    const struct kept_moves *k = a ? ref_ptr(a->moved) : NULL;
    if (k && k->loop_word)
        *(u64 *)k->loop_word += in_register;
    for (u32 i = 0; k && i < k->n; i++) {
        const struct moved *m = &k->all[i];
        if (m->is_each) {
            if (entry == m->from)
                settle_each(m, has_begun, left);
            continue;
        }
        bool is_due = has_begun ? entry >= m->from : entry > m->from, is_done = entry > m->to;
        if (is_due != is_done)
            adjust(m, is_due ? m->amount : -(s64)m->amount);
    }
}
