/* slots.c: what is added to slots instead of words, and how it comes to the words (promote.h, (1) and (3)).
 *
 * A promoted word has a row of slots, which its places use in turn. A group has one slot, which counts how often its stretch ran;
 * what a run adds to which word is noted beside it. */
#include "base/heap.h"
#include "base/lock.h"
#include "engine/jit/countdown.h"
#include "engine/jit/promote/promote_int.h"
#include "engine/thread.h"

enum { STRIPES = 8, PLACES = 4 };                         /* slots of a word; places that may count in the word itself */
enum { MAX_GROUPS = 1 << 18, NEAR_GROUPS = 1 << 17, FEW_GROUPS = 1 << 12 };     /* FEW: if callbacks have them folded */

static struct { u64 at, folded; u8 size; } promoted[MAX_PROMOTED];
static u64 home_of_rows[MAX_PROMOTED * STRIPES] __attribute__((aligned(64)));   /* in the image: emitted code reaches it */
static u64 *rows;                                         /* of slots: there, or near.c */
static u32 n_promoted;                                    /* grows under the cache lock */

struct group { u32 n; struct count each[]; };             /* what one run adds */
static struct group *group[MAX_GROUPS];
static u64 home_of_runs[NEAR_GROUPS] __attribute__((aligned(64))), further_runs[MAX_GROUPS - NEAR_GROUPS], group_folded[MAX_GROUPS];
static u64 *first_runs;                                   /* there, or near.c */
static u32 n_groups;
static struct lock fold_lock;

static u64 *runs_of(u32 i) { return i < NEAR_GROUPS ? &first_runs[i] : &further_runs[i - NEAR_GROUPS]; }

bool promote_is_on(void) { return n_promoted || n_groups || countdown_is_on(); }
u32 slots_fold_work(void) { return n_promoted + n_groups / 16; }
u64 slots_row(u64 at) { return at - (u64)rows < sizeof home_of_rows ? (at - (u64)rows) / (STRIPES * sizeof *rows) + 1 : at; }
u64 slots_first(u64 at) { return slots_row(at) == at ? at : (u64)&rows[(slots_row(at) - 1) * STRIPES]; }

/* ---- folding ---- */
/* A thread of the application's that is alone needs no lock; a tool's own threads end promotion. */
void slots_add_to(void *at, u32 size, u64 more)
{
    bool is_alone = thr_alone() && !promotion.is_forbidden;
    if (is_alone && size == 8)
        *(u64 *)at += more;
    else if (is_alone)
        *(u32 *)at += (u32)more;
    else if (size == 8)
        __atomic_fetch_add((u64 *)at, more, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add((u32 *)at, (u32)more, __ATOMIC_RELAXED);
}

static void fold_word(u32 i)
{
    u64 sum = 0;
    for (u32 k = 0; k < STRIPES; k++)
        sum += rows[i * STRIPES + k];
    u64 more = sum - promoted[i].folded;
    promoted[i].folded = sum;
    if (more)
        slots_add_to((void *)promoted[i].at, promoted[i].size, more);
}

static void fold_group(u32 i)
{
    u64 more = *runs_of(i) - group_folded[i];
    group_folded[i] += more;
    for (u32 k = 0; more && k < group[i]->n; k++)
        slots_add_to((void *)group[i]->each[k].at, group[i]->each[k].size, more * (u64)group[i]->each[k].amount);
}

/* Most stretches have not run since the last time: eight are looked at together. The rest of the last eight is all zero. */
enum { TOGETHER = 8 };
_Static_assert(MAX_GROUPS % TOGETHER == 0 && NEAR_GROUPS % TOGETHER == 0, "");
static bool have_run(u32 i)
{
    u64 differs = 0, *runs = runs_of(i), *folded = &group_folded[i];
#pragma GCC unroll 8
    for (u32 k = 0; k < TOGETHER; k++)
        differs |= runs[k] ^ folded[k];
    return differs;
}

static void fold_groups(void)
{
    for (u32 i = 0; i < n_groups; i += TOGETHER)
        if (UNLIKELY(have_run(i)))
            for (u32 k = i; k < i + TOGETHER; k++)
                fold_group(k);
}

void promote_fold(void)
{
    if (!promote_is_on() || sight_spares_folding())
        return;
    lock_take(&fold_lock);
    for (u32 i = 0; i < n_promoted; i++)
        fold_word(i);
    fold_groups();
    countdown_fold();
    lock_drop(&fold_lock);
}

void promote_forked(void) { lock_reset(&fold_lock); }
struct lock *promote_lock(void) { return &fold_lock; }

/* ---- promoting ---- */
static bool promote(struct word *w, u8 size)
{
    if (!promote_may() || n_promoted == MAX_PROMOTED)
        return false;
    promote_begin();
    if (!rows)
        near_place(&rows, home_of_rows, sizeof home_of_rows);
    sight_show(w->at);
    promoted[n_promoted].at = w->at;
    promoted[n_promoted].size = size;
    w->number = (u16)++n_promoted;
    return true;
}

/* Emitted code reaches it, or a slot in its place: then for each of the sums that may be pending, too. What decides this does not
 * change before the stretch ends. */
bool slots_can_add(const struct count *c, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        if (c[i].is_tls || arch_reaches(c[i].at))
            continue;
        struct word *w = word_at(c[i].at);
        if (w->places == PINNED || !promote_may() || (!w->number && n_promoted + MAX_SUMS + MAX_COUNTS > MAX_PROMOTED))
            return false;
    }
    return true;
}

void slots_redirect(struct count *c)
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
    if (promotion.is_forbidden)
        return;
    c->at = (u64)&rows[(w->number - 1u) * STRIPES + w->places % STRIPES];
    c->size = 8;
}

void slots_pin(u64 at)
{
    struct word *w = word_at(at);
    if (w->number || w->is_grouped || (w->is_down && countdown_is_on()))
        promote_forbid();
    w->places = PINNED;
}

u64 slots_group(struct count *const *c, u32 n)
{
    if (n_groups >= (sight_is_any() ? FEW_GROUPS : MAX_GROUPS) || !promote_may())
        return 0;
    promote_begin();
    if (!first_runs)
        near_place(&first_runs, home_of_runs, sizeof home_of_runs);
    struct group *g = heap_alloc(sizeof *g + n * sizeof *g->each);
    for (g->n = 0; g->n < n; g->n++) {
        word_at(c[g->n]->at)->is_grouped = true;
        sight_show(c[g->n]->at);
        g->each[g->n] = *c[g->n];
    }
    group[n_groups] = g;
    return (u64)runs_of(n_groups++);
}
