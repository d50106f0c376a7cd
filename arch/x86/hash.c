/* hash.c: the table that x86_find_target (entry.S) walks: for when there is no low memory for the direct tables, and for targets of
 * which too many share a slot there.
 *  (1) Chains are read without a lock: a record is complete before it is published, and it stays readable until the
 *      trace it belongs to is reclaimed.
 *  (2) Writers hold the cache lock. */
#include "arch/x86/landing.h"
#include "arch/x86/r11.h"
#include "base/heap.h"
#include "engine/cache/trace.h"

struct target {
    u64 minus_pc;                               /* compared by adding: leaves the flags alone */
    const u8 *code;
    struct target *next;
    struct trace *trace;
};

enum { N_SLOTS = 65536 };
struct target *x86_targets[N_SLOTS] __attribute__((visibility("hidden")));
static bool is_used;

/* All 32 bits count; what entry.S can compute without a flag. */
static struct target **slot_of(addr_t pc) { return &x86_targets[(u16)(pc + __builtin_bswap32((u32)pc))]; }

bool x86_hash_is_used(void) { return is_used; }

void *x86_hash_add(struct trace *t)
{
    struct target *n = heap_alloc(sizeof *n), **slot = slot_of(t->pc);
    is_used = true;
    *n = (struct target){ -(u64)t->pc, x86_entry(t), *slot, t };
    __atomic_store_n(slot, n, __ATOMIC_RELEASE);
    return n;
}

void x86_hash_free(void *target) { heap_free(target, sizeof(struct target)); }

/* Records are not given back here: a reader may be on one. A landing's goes with its trace; where there are no landings nothing better
 * is to be had. */
void x86_hash_remove(struct trace *t)
{
    for (struct target **p = slot_of(t->pc); is_used && *p;) {
        if ((*p)->trace == t)
            __atomic_store_n(p, (*p)->next, __ATOMIC_RELEASE);
        else
            p = &(*p)->next;
    }
}

void x86_hash_clear(void)
{
    if (is_used)
        memset(x86_targets, 0, sizeof x86_targets);
}
