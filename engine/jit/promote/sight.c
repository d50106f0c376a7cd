/* sight.c: callbacks for new code that look at no word whose count is in slots run without folding: with thousands of groups,
 * folding is most of what they would cost. */
#include "engine/jit/promote/promote_int.h"
#include "engine/thread.h"

enum { MAX_NEW = 8 };
static struct {
    const void *new[MAX_NEW];                  /* not looked at yet: they are registered before the engine starts */
    u32 n_new;
    bool (*is_blind)(const void *fn);
    struct sight sight;
    bool see_any;
    const void *running;                       /* in this thread */
} callbacks;

bool sight_spares_folding(void) { return callbacks.running == &thr_self; }
bool sight_is_any(void) { return callbacks.see_any; }

void promote_callback(const void *fn, bool (*is_blind)(const void *fn))
{
    callbacks.is_blind = is_blind;
    if (callbacks.n_new < MAX_NEW)
        callbacks.new[callbacks.n_new++] = fn;
    else
        callbacks.see_any = true;
}

static void look_at(const void *fn)
{
    struct sight *s = &callbacks.sight;
    u32 known = s->n;
    callbacks.see_any |= !arch_sees_words_only(fn, callbacks.is_blind, s);
    for (u32 i = known; i < s->n; i++)
        callbacks.see_any |= word_is_elsewhere(s->word[i]) || word_is_elsewhere(s->word[i] + 4);
}

void sight_show(u64 at)
{
    for (u32 i = 0; i < callbacks.sight.n; i++)
        callbacks.see_any |= callbacks.sight.word[i] == (at & ~7ull);
}

static void look_at_new(void)
{
    while (callbacks.n_new)
        look_at(callbacks.new[--callbacks.n_new]);
}

bool promote_callbacks_are_pure(void)
{
    look_at_new();
    return !callbacks.see_any && !callbacks.sight.n && !callbacks.sight.uses_tls;
}

bool promote_spare(bool on)
{
    look_at_new();
    callbacks.running = on && !callbacks.see_any ? &thr_self : NULL;
    return callbacks.running != NULL;
}
