/* countdown.c: see countdown.h. */
#include "engine/jit/countdown.h"
#include "engine/jit/promote/promote_int.h"

enum { MAX_WORDS = 64, SLOTS = 8, BULK = SLOTS - 1 };                  /* the last slot is for repeated instructions */
struct down {
    u64 at, step, given[SLOTS];                 /* given: what each slot was handed out */
    u32 places;
    u8 size;
    bool has_bulk;
    bool is_due;                                /* counted down to zero, and the Then has not been called for that */
    bool is_fired;                              /* ... it has, and may not have set the word yet */
    u32 n_waits;                                /* passes meanwhile */
};
static struct down down[MAX_WORDS];
static u64 home[MAX_WORDS * SLOTS] __attribute__((aligned(64))), *slots;        /* there, or promote/near.c */
static u32 n_downs;
static bool has_ended;
static u64 looks, passed;                       /* exact ones; all, as far as folded */

bool countdown_is_on(void) { return n_downs && !has_ended; }

static s64 value_of(const struct down *d) { return d->size == 8 ? *(s64 *)d->at : *(s32 *)d->at; }

/* How often the word can be passed without becoming zero. Below zero it has a long way to go: half the numbers of 32 bits. But with
 * threads it may have been at zero just now, and another one is about to set it. */
static u64 passes_left(const struct down *d)
{
    s64 now = value_of(d);
    return now > 0 ? (u64)(now - 1) / d->step : promote_is_shared() ? 1u << 13 : 1u << 30;
}

/* At zero the Then comes next. With threads, whoever counts on before that has set the word may undo the setting; so these passes are
 * lost, as some always are when threads share a word. But a Then need not set it. */
static bool waits_for_then(struct down *d)
{
    enum { PATIENCE = 1 << 16 };
    if (value_of(d)) {
        d->is_due = d->is_fired = false;
        return false;
    }
    return d->is_due || (d->is_fired && promote_is_shared() && d->n_waits++ < PATIENCE);
}

/* A slot that went below zero has been passed once more than it was good for; the word knows. Threads that count in one slot lose
 * some of it, as they would if they counted in the word, and may find it changed behind their backs; but the word never misses zero. */
static void take_back(u32 k)
{
    struct down *d = &down[k];
    u64 used = 0;
    for (u32 i = 0; i < SLOTS; i++) {
        u64 now = d->given[i] - slots[k * SLOTS + i];
        used += (s64)now > 0 ? now : 0;
        slots[k * SLOTS + i] = d->given[i] = 0;
    }
    used = waits_for_then(d) ? 0 : MIN(used, passes_left(d) + 1);
    if (!used)
        return;                                 /* not even the same value is stored: the Then may be setting it */
    passed += used;
    if (d->size == 8)
        *(u64 *)d->at -= used * d->step;
    else
        *(u32 *)d->at -= (u32)(used * d->step);
    d->is_due |= !value_of(d);
}

void countdown_fold(void)
{
    for (u32 k = 0; k < n_downs; k++)
        take_back(k);
}

/* A repeated instruction that finds too little goes on one by one: its slot gets as much as all others. */
static void hand_out(u32 k)
{
    struct down *d = &down[k];
    u64 all = has_ended ? 0 : passes_left(d), each = d->has_bulk ? all / 2 / BULK : all / SLOTS;
    for (u32 i = 0; i < SLOTS; i++)
        slots[k * SLOTS + i] = d->given[i] = i == BULK && d->has_bulk ? all / 2 : each;
}

/* At zero nothing is handed out: the Then comes first, which may set the word. If several threads come here for the same zero, it is
 * for one of them. */
static bool look(u32 k)
{
    struct down *d = &down[k];
    take_back(k);
    bool is_zero = !value_of(d), fires = is_zero && d->is_due;
    d->is_due = false;
    if (!is_zero) {
        looks++;
        hand_out(k);
    }
    if (fires) {
        d->is_fired = true;
        d->n_waits = 0;
    }
    return fires;
}

u64 countdown_exact(u64 k)
{
    lock_take(promote_lock());
    bool fires = look((u32)k);
    lock_drop(promote_lock());
    return fires;
}

bool countdown_pays(void)
{
    enum { MANY = 1 << 14, FEW_EACH = 32 };
    return looks < MANY || looks * FEW_EACH < passed;
}

static struct down *find(const struct count *c)
{
    for (u32 k = 0; k < n_downs; k++)
        if (down[k].at == c->at)
            return down[k].step == (u64)-c->amount && down[k].size == c->size ? &down[k] : NULL;
    if (n_downs == MAX_WORDS)
        return NULL;
    down[n_downs] = (struct down){ .at = c->at, .step = (u64)-c->amount, .size = c->size };
    return &down[n_downs++];
}

u64 *countdown_place(const struct count *c, bool is_bulk, u32 *number)
{
    struct down *d = has_ended || c->amount >= 0 ? NULL : find(c);
    if (!d)
        return NULL;
    if (!slots)
        near_place(&slots, home, sizeof home);
    *number = (u32)(d - down);
    d->has_bulk |= is_bulk;
    return &slots[*number * SLOTS + (is_bulk ? BULK : d->places++ % BULK)];
}

void countdown_end(void)
{
    lock_take(promote_lock());
    countdown_fold();
    has_ended = true;
    lock_drop(promote_lock());
}
