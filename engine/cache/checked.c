/* checked.c: traces of code that somebody else may write: another process that shares the memory, or a system call that
 * writes the file behind it. No page fault tells of such a write. So nothing leads into such a trace but the dispatcher,
 * and that compares the code with the copy that is kept here first.
 *
 *  (1) One copy for an address, as long as its longest trace. When it differs, all traces of the address go. */
#include "arch_signal.h"
#include "base/heap.h"
#include "engine/cache/cache_int.h"

struct original { struct original *next; addr_t pc; u32 n; u8 bytes[]; };
enum { SLOTS = 1024 };
static struct original *slot[SLOTS];
static bool any;

static struct original **find(addr_t pc)
{
    struct original **p = &slot[(pc ^ pc >> 10) % SLOTS];
    while (*p && (*p)->pc != pc)
        p = &(*p)->next;
    return p;
}

static void drop(struct original **p)
{
    struct original *o = *p;
    *p = o->next;
    heap_free(o, sizeof *o + o->n);
}

void cache_check_later(struct trace *t, const u8 *bytes)
{
    struct original **p = find(t->pc), *o;
    t->is_checked = any = true;
    if (*p && (*p)->n >= t->app_bytes)
        return;
    if (*p)
        drop(p);
    o = heap_alloc(sizeof *o + t->app_bytes);
    *o = (struct original){ *p, t->pc, t->app_bytes };
    memcpy(o->bytes, bytes, o->n);
    __atomic_store_n(p, o, __ATOMIC_RELEASE);
}

static bool is_same(const struct original *o)
{
    u8 now[64];
    for (u32 i = 0; i < o->n; i += sizeof now) {
        u32 n = MIN(o->n - i, (u32)sizeof now);
        if (!mem_copy_safely(now, (void *)(o->pc + i), n) || memcmp(now, o->bytes + i, n))
            return false;
    }
    return true;
}

void cache_check(addr_t pc)
{
    struct original **p = any ? find(pc) : NULL;
    if (!p || !*p || is_same(*p))
        return;
    drop(p);
    cache_invalidate_at(pc);
}
