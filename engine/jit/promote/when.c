/* when.c: whether words may be promoted, and when that ends. What was emitted under another answer is flushed; threads that are
 * still inside go on adding to slots, which go on being folded. */
#include "engine/cache/cache.h"
#include "engine/jit/countdown.h"
#include "engine/jit/promote/promote_int.h"

struct promotion promotion;

bool promote_may(void) { return !promotion.is_forbidden && opt->opt_level >= OPT_PROMOTE; }
bool promote_is_shared(void) { return promotion.is_shared; }

void promote_begin(void)
{
    if (!promote_is_on() && promotion.has_visits)
        cache_flush_all();                                /* they do not fold yet */
}

bool promote_folds_visits(void)
{
    promotion.has_visits = true;
    return promote_is_on();
}

void promote_forbid(void)
{
    if (promotion.is_forbidden)
        return;
    promotion.is_forbidden = true;
    if (promote_is_on())
        cache_flush_all();
    countdown_end();
}

void promote_end_countdowns(void)
{
    if (!countdown_is_on())
        return;
    cache_flush_all();
    countdown_end();
}

void promote_not_alone(void)
{
    if (promotion.is_shared)
        return;
    cache_lock_take();
    promotion.is_shared = true;
    if (promotion.has_bulk || promotion.has_loops)
        cache_flush_all();                                /* see countdown.h, (3), and loop.c */
    cache_lock_drop();
}

void promote_fold_in_visit(void)
{
    enum { ENOUGH = 1 << 24 };
    static u64 work;
    promote_fold();
    if (!countdown_pays()) {
        cache_lock_take();
        promote_end_countdowns();
        cache_lock_drop();
    }
    if ((work += slots_fold_work()) < ENOUGH || promotion.is_forbidden)
        return;
    cache_lock_take();
    promote_forbid();
    cache_lock_drop();
}

bool promote_keeps_registers(const void *fn) { return fn == (const void *)countdown_exact; }
