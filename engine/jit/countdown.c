/* countdown.c: see countdown.h. */
#include "engine/jit/countdown.h"

enum { MAX_WORDS = 64, SLOTS = 8 };
struct down { u64 at, step, given[SLOTS]; u32 places; u8 size; };      /* given: what each slot was handed out */
static struct down down[MAX_WORDS];
static u64 slot[MAX_WORDS][SLOTS] __attribute__((aligned(64)));        /* in the image: emitted code reaches it */
static u32 n_downs;
static bool has_ended;
static u64 looks, passed;                       /* exact ones; all, as far as folded */

bool countdown_is_on(void) { return n_downs && !has_ended; }

static s64 value_of(const struct down *d) { return d->size == 8 ? *(s64 *)d->at : *(s32 *)d->at; }

/* A slot that went below zero has been passed once more than it was good for; the word knows. */
static void take_back(u32 k)
{
    struct down *d = &down[k];
    u64 used = 0;
    for (u32 i = 0; i < SLOTS; i++) {
        used += d->given[i] - slot[k][i];
        slot[k][i] = d->given[i] = 0;
    }
    passed += used;
    if (d->size == 8)
        *(u64 *)d->at -= used * d->step;
    else
        *(u32 *)d->at -= (u32)(used * d->step);
}

void countdown_fold(void)
{
    for (u32 k = 0; k < n_downs; k++)
        take_back(k);
}

/* How often the word can be passed without becoming zero. Below zero it has a long way to go: half the numbers of 32 bits. */
static u64 passes_left(const struct down *d)
{
    s64 now = value_of(d);
    return now > 0 ? (u64)(now - 1) / d->step : 1u << 30;
}

static void hand_out(u32 k)
{
    struct down *d = &down[k];
    u64 each = has_ended ? 0 : passes_left(d) / SLOTS;
    for (u32 i = 0; i < SLOTS; i++)
        slot[k][i] = d->given[i] = each;
}

u64 countdown_exact(u64 k)
{
    looks++;
    take_back((u32)k);
    bool is_zero = !value_of(&down[k]);
    if (!is_zero)
        hand_out((u32)k);                       /* else the Then comes first, which may set the word */
    return is_zero;
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

u64 *countdown_place(const struct count *c, u32 *number)
{
    struct down *d = has_ended || c->amount >= 0 ? NULL : find(c);
    if (!d)
        return NULL;
    *number = (u32)(d - down);
    return &slot[*number][d->places++ % SLOTS];
}

void countdown_end(void)
{
    countdown_fold();
    has_ended = true;
}
