/* changed.c: is code that is translated anew still what it was? Only for a tool that wants to know: when a trace is retired
 * the bytes that it was made from are kept, and compared when a trace is made at the same address again. */
#include "arch_signal.h"
#include "base/heap.h"
#include "engine/cache/cache_int.h"
#include "engine/cache/events.h"

struct old { struct old *next; addr_t pc; u32 n; u8 bytes[]; };
enum { SLOTS = 1024, MOST = 512 };
static struct old *slot[SLOTS];

static bool is_wanted(void) { return cache_events_wanted >> CACHE_CHANGED & 1; }
static struct old **slot_of(addr_t pc) { return &slot[(pc ^ pc >> 12) % SLOTS]; }

static struct old *take(addr_t pc)
{
    for (struct old **p = slot_of(pc), *o; (o = *p); p = &o->next)
        if (o->pc == pc) {
            *p = o->next;
            return o;
        }
    return NULL;
}

static void drop(struct old *o)
{
    if (o)
        heap_free(o, sizeof *o + o->n);
}

void changed_remember(struct trace *t)
{
    u32 n = MIN(t->app_bytes, (u32)MOST);
    if (LIKELY(!is_wanted()))
        return;
    drop(take(t->pc));
    struct old *o = heap_alloc(sizeof *o + n);
    *o = (struct old){ *slot_of(t->pc), t->pc, n };
    *slot_of(t->pc) = o;
    if (!mem_copy_safely(o->bytes, (void *)t->pc, n))
        drop(take(t->pc));                      /* unmapped: what comes there is new code */
}

void changed_check(struct trace *t)
{
    u8 now[MOST];
    struct old *o = is_wanted() ? take(t->pc) : NULL;
    if (!o)
        return;
    if (mem_copy_safely(now, (void *)o->pc, o->n) && memcmp(now, o->bytes, o->n))
        cache_note(CACHE_CHANGED, o->pc, o->pc + o->n);
    drop(o);
}
