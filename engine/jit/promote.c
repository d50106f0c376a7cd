/* promote.c: see promote.h. */
#include "engine/jit/promote.h"
#include "base/heap.h"
#include "base/lock.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/jit/optreport.h"
#include "engine/thread.h"

/* ---- words and their slots ---- */
enum { STRIPES = 16, MAX_PROMOTED = 4096, PLACES = 4, PINNED = 0xffffffff };
struct word { u64 at; u32 places; u32 number; };         /* number: of its promotion + 1 */
struct promoted { u64 at, folded; u8 size; };

static struct { struct word *slot; u32 size, used; } words;      /* open addressing; cache lock */
static struct promoted promoted[MAX_PROMOTED];
static u64 stripe[MAX_PROMOTED][STRIPES] __attribute__((aligned(64)));     /* in the image: emitted code reaches it */
static u32 n_promoted;                                    /* grows under the cache lock */
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
static void fold_one(struct promoted *p, const u64 *slots)
{
    u64 sum = 0;
    for (u32 i = 0; i < STRIPES; i++)
        sum += slots[i];
    u64 more = sum - p->folded;
    p->folded = sum;
    if (!more)
        return;
    if (p->size == 8)
        __atomic_fetch_add((u64 *)p->at, more, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add((u32 *)p->at, (u32)more, __ATOMIC_RELAXED);
}

void promote_fold(void)
{
    if (!n_promoted)
        return;
    lock_take(&fold_lock);
    for (u32 i = 0; i < n_promoted; i++)
        fold_one(&promoted[i], stripe[i]);
    lock_drop(&fold_lock);
}

void promote_forked(void) { lock_reset(&fold_lock); }

/* ---- when promotion ends ---- */
void promote_forbid(void)
{
    if (is_forbidden)
        return;
    is_forbidden = true;
    if (n_promoted)
        cache_flush_all();                                /* threads still inside add to slots, which go on being folded */
}

void promote_fold_in_visit(void)
{
    enum { ENOUGH = 1 << 24 };
    static u64 work;
    promote_fold();
    if ((work += n_promoted) < ENOUGH || is_forbidden)
        return;
    cache_lock_take();
    promote_forbid();
    cache_lock_drop();
}

bool promote_folds_visits(void)
{
    has_visits = true;
    return n_promoted != 0;
}

/* ---- promoting ---- */
static bool promote(struct word *w, u8 size)
{
    if (is_forbidden || opt->opt_level < OPT_PROMOTE || n_promoted == MAX_PROMOTED)
        return false;
    if (!n_promoted && has_visits)
        cache_flush_all();                                /* they do not fold yet */
    promoted[n_promoted] = (struct promoted){ .at = w->at, .size = size };
    w->number = ++n_promoted;
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
    if (w->number)
        promote_forbid();
    w->places = PINNED;
}

/* ---- sums of one stretch of code that is left only at its end ---- */
enum { MAX_SUMS = 64, MAX_MOVED = 2048 };
struct sum { struct count c; };
struct moved { u64 at; s32 amount; u16 from, to; u8 size, is_tls; };     /* from, to: instructions, later map records */

static struct {
    struct sum sum[MAX_SUMS];
    u32 n;
    u32 home;                               /* the first sum's instruction, and where in its list that stood */
    struct call **link;
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
static u32 best_place(const struct view *v, u32 last)
{
    for (u32 k = area.home; k <= last; k++)
        if (arch_flags_are_dead(v->insn, k, v->n))
            return k;
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
                                                   c->is_tls };
    }
}

/* The stretch ends in front of the calls of instruction `last`, or (home == last) at the present place in its list. */
static void end_stretch(const struct view *v, u32 last)
{
    if (!area.n)
        return;
    u32 to = best_place(v, last);
    struct call **link = to == area.home ? area.link : &instr_request(to)->call[POINT_BEFORE];
    for (u32 i = 0; i < area.n; i++) {
        redirect(&area.sum[i].c);
        *link = new_count(&area.sum[i].c, *link);
    }
    note_moved(to);
    area.n = logical.n = 0;
}

static bool has_room(u32 more)
{
    return area.n + more <= MAX_SUMS && moved.n + logical.n + more <= MAX_MOVED;
}

static void add_sum(u32 i, struct call **link, const struct count *c)
{
    u32 k = 0;
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

/* A call that stays one: what may its routine look at, standing in the trace? */
static void look_at(const struct call *c)
{
    u64 seen[MAX_SEEN_WORDS];
    u32 n = 0;
    switch (arch_sight(c, seen, &n)) {
    case SEES_ANY: promote_forbid(); break;
    case SEES_WORDS:
        for (u32 i = 0; i < n; i++)
            pin(seen[i]);
        break;
    default: break;
    }
}

/* Calls in front of instruction i. */
static void gather(const struct view *v, u32 i)
{
    struct count c[MAX_COUNTS];
    struct insn_request *r = instr_request(i);
    for (struct call **p = &r->call[POINT_BEFORE], *at; (at = *p);) {
        if (at->flags & CALL_COUNT) {
            p = &at->next;
            continue;
        }
        u32 n = counts_of(at, c);
        if (!n || !has_room(n)) {
            end_stretch(v, i);
            if (*p != at)
                continue;                                 /* the sums now stand here */
            look_at(at);
            p = &at->next;
            continue;
        }
        optreport_counted(at);
        *p = at->next;
        for (u32 k = 0; k < n; k++)
            add_sum(i, p, &c[k]);
    }
}

/* Calls behind it or on its branch: sums stay where they are. */
static void convert(u32 i, enum point point)
{
    struct count c[MAX_COUNTS];
    for (struct call **p = &instr_request(i)->call[point], *at; (at = *p); p = &(*p)->next) {
        u32 n = counts_of(at, c);
        if (!n) {
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

/* The dispatcher performs it, and makes the calls behind it. */
static bool is_performed(const struct insn *in) { return in->kind == INSN_SYSCALL || in->kind == INSN_EMULATE; }

static bool has_other_calls(u32 i) { return instr_calls(i, POINT_AFTER) || instr_calls(i, POINT_TAKEN); }

void promote_run(const struct view *v)
{
    area.n = logical.n = moved.n = 0;
    for (u32 i = 0; i < v->n; i++) {
        bool is_asked = instr_of(i) != NULL;
        if (is_asked)
            gather(v, i);
        if (is_boundary(v, i) || (is_asked && has_other_calls(i)))
            end_stretch(v, i);
        if (is_asked) {
            if (!is_performed(&v->insn[i]))
                convert(i, POINT_AFTER);
            convert(i, POINT_TAKEN);
        }
    }
    end_stretch(v, v->n - 1);
}

/* ---- settling ---- */
struct kept_moves { u32 n; struct moved all[]; };

void *promote_keep(const u16 *entry)
{
    if (!moved.n)
        return NULL;
    struct kept_moves *k = instr_keep(sizeof *k + moved.n * sizeof *k->all);
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
    u8 *at = (u8 *)m->at + (m->is_tls ? (u64)__builtin_thread_pointer() : 0);
    if (m->size == 8)
        *(u64 *)at += (u64)by;
    else
        *(u32 *)at += (u32)by;
}

void promote_settle(const struct trace *t, u32 entry, bool has_begun)
{
    const struct kept_moves *k = ref_ptr(t->moved);
    for (u32 i = 0; k && i < k->n; i++) {
        const struct moved *m = &k->all[i];
        bool is_due = has_begun ? entry >= m->from : entry > m->from, is_done = entry > m->to;
        if (is_due != is_done)
            adjust(m, is_due ? m->amount : -(s64)m->amount);
    }
}
