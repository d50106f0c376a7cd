/* link.c: turn exits of cached traces into direct jumps, and back again; retire and reclaim traces.
 *  (1) A linked exit leads to a live trace and is on its `incoming` list, so that a retirement can undo it.
 *  (2) A jump changes by one aligned store: a running thread sees the old target or the new, never a mixture.
 *  (3) A retired trace has no incoming links and its exits lead to the dispatcher: threads inside come out by themselves. */
#include "base/heap.h"
#include "base/panic.h"
#include "engine/cache/cache_int.h"
#include "engine/cache/events.h"
#include "engine/engine.h"
#include "engine/jit/instrument.h"
#include "engine/log.h"
#include "engine/stats.h"
#include "engine/thread.h"

void cache_link(struct exit *x, struct trace *to)
{
    if (opt->no_link || exit_is_linked(x) || exit_trace(x)->is_retired || to->is_retired || to->is_checked)
        return;
    if (!arch_link(x, to))
        return;
    x->next_in = to->incoming ? to->incoming : ptr_ref(to) | IN_LAST;
    to->incoming = ptr_ref(x);
    stats.links++;
    cache_note(CACHE_LINKED, (addr_t)cache_ptr(exit_site(x)), (addr_t)trace_code(to));
}

static void undo_link(struct exit *x)
{
    arch_unlink(x);
    x->next_in = 0;
    stats.unlinks++;
    cache_note(CACHE_UNLINKED, (addr_t)cache_ptr(exit_site(x)), (addr_t)cache_ptr(exit_stub(x)));
}

/* The trace that a linked exit leads to: the last one on the list names it. */
static struct trace *linked_to(const struct exit *x)
{
    while (!(x->next_in & IN_LAST))
        x = ref_ptr(x->next_in);
    return ref_ptr(x->next_in & ~(ref_t)IN_LAST);
}

static void leave_incoming(struct exit *x)
{
    struct trace *to = linked_to(x);
    if (ref_ptr(to->incoming) == x) {
        to->incoming = x->next_in & IN_LAST ? 0 : x->next_in;
        return;
    }
    for (struct exit *i = ref_ptr(to->incoming); i; i = next_incoming(i->next_in))
        if (next_incoming(i->next_in) == x) {
            i->next_in = x->next_in;
            return;
        }
    ct_assert(false, "a link is not on the list of its target");
}

void cache_unlink_exit(struct exit *x)
{
    if (!exit_is_linked(x))
        return;
    leave_incoming(x);
    undo_link(x);
}

/* In a recovery a link may have been made that is not noted yet. */
static bool is_recovering;
static bool may_be_linked(const struct exit *x)
{
    return exit_is_linked(x) || (is_recovering && (x->kind == EXIT_JUMP || x->kind == EXIT_CALL || x->kind == EXIT_GUARD));
}

void cache_forget_link(struct exit *x)
{
    if (may_be_linked(x))
        undo_link(x);
}

void cache_unlink(struct trace *t)
{
    for (struct exit *x = ref_ptr(t->incoming), *next; x; x = next) {
        next = next_incoming(x->next_in);
        undo_link(x);
    }
    t->incoming = 0;
    for (u32 i = 0; i < t->n_exits; i++)
        cache_unlink_exit(&trace_exits(t)[i]);
}

void mark_retired(struct trace *t) { t->is_retired = true; }

/* A block lives as long as one trace in it. When only a few are left they go too, and are made anew where they are
 * needed: programs that replace their code would fill the cache with blocks that are all but empty. */
static bool any_thin;

static bool is_thin(const struct block *b)
{
    enum { FEW = 8 };
    return !b->retired && b != block_current() && b->n_live * FEW <= b->n_traces;
}

void block_thin_out(struct block *b)
{
    for (u32 i = 0; is_thin(b) && i < b->n_traces; i++) {
        struct trace *t = ref_ptr(b->traces[i]);
        if (!t->is_retired)
            retire_trace(t);
    }
}

static void thin_out(struct block *b, void *unused) { block_thin_out(b); }

void cache_thin_out(void)
{
    if (!any_thin)
        return;
    block_for_each(thin_out, NULL);
    any_thin = false;
}

void retire_trace(struct trace *t)
{
    distinct_remember(t);
    cache_unlink(t);
    arch_landings_remove(t);
    dir_remove(t);
    pages_remove(t);
    mark_retired(t);
    stats.invalidated++;
    cache_note(CACHE_INVALIDATED, t->pc, (addr_t)trace_code(t));
    changed_remember(t);
    struct block *b = block_of(PRIV_CACHE + t->code);
    if (!--b->n_live && b != block_current())
        block_retire(b);
    cache_now++;
    any_thin |= is_thin(b);
}

static void retire_in_flush(struct block *b, void *unused)
{
    if (b->retired && !is_recovering)
        return;
    for (u32 i = 0; i < b->n_traces; i++) {
        struct trace *t = ref_ptr(b->traces[i]);
        if (t->is_retired && !is_recovering)
            continue;
        for (u32 k = 0; k < t->n_exits; k++)
            cache_forget_link(&trace_exits(t)[k]);
        t->incoming = 0;
        if (!is_recovering)
            distinct_remember(t);
        arch_landings_forget(t);
        mark_retired(t);
    }
    b->n_live = 0;
}

void cache_flush_all(void)
{
    block_for_each(retire_in_flush, NULL);
    arch_landings_clear();
    dir_clear();
    pages_clear();
    block_retire_all();
    cache_now++;
    stats.flushes++;
    log_event("cache flush");
    cache_note(CACHE_FLUSHED, 0, 0);
}

/* Traces are complete before their block counts them, and their lists grow by one store each: so all ways into them can be
 * cut, whatever was going on. The rest begins anew. */
void cache_recover(void)
{
    is_recovering = true;
    cache_flush_all();
    arch_landings_wipe();
    block_retire_again();
    is_recovering = false;
}

/* The object itself goes together with its block: cache_locate may ask for it as long as a thread can be in there. */
static void free_trace(struct trace *t)
{
    arch_landings_free(t);
    instr_free(t);
}

void cache_reclaim(void)
{
    static u64 done;
    if (!block_any_retired())
        return;
    u64 oldest = thr_oldest_epoch();
    if (MIN(oldest, cache_now) == done)
        return;
    done = MIN(oldest, cache_now);
    block_reclaim(oldest, free_trace);
}
