/* targets.c: the table in which indirect branches look for their target (x86_find_target in entry.S walks it).
 *
 *  (1) Chains are read without a lock: a record is complete before it is published, and it stays readable until the
 *      trace it belongs to is reclaimed.
 *  (2) Writers hold the cache lock. */
#include "arch/arch.h"
#include "base/heap.h"
#include "engine/cache/trace.h"

struct target {
    u64 minus_pc;                               /* compared by adding: leaves the flags alone */
    const u8 *code;
    struct target *next;
};

enum { N_TARGETS = 65536 };
struct target *x86_targets[N_TARGETS] __attribute__((visibility("hidden")));
static u16 filled[N_TARGETS];                   /* slots in use, so that clearing does not touch the whole table */
static u32 n_filled;

static struct target **slot_of(addr_t pc) { return &x86_targets[(u16)pc]; }

void arch_targets_add(struct trace *t)
{
    if (t->target)
        return;
    struct target *n = heap_alloc(sizeof *n), **slot = slot_of(t->pc);
    n->minus_pc = -(u64)t->pc;
    n->code = trace_code(t);
    n->next = *slot;
    if (!n->next && n_filled < N_TARGETS)
        filled[n_filled++] = (u16)t->pc;
    t->target = ptr_ref(n);
    __atomic_store_n(slot, n, __ATOMIC_RELEASE);
}

void arch_targets_remove(struct trace *t)
{
    struct target *gone = ref_ptr(t->target);
    if (!gone)
        return;
    for (struct target **p = slot_of(t->pc); *p; p = &(*p)->next)
        if (*p == gone) {
            __atomic_store_n(p, gone->next, __ATOMIC_RELEASE);
            return;
        }
}

void arch_targets_free(struct trace *t)
{
    heap_free(ref_ptr(t->target), sizeof(struct target));
    t->target = 0;
}

void arch_targets_clear(void)
{
    if (n_filled == N_TARGETS) {
        memset(x86_targets, 0, sizeof x86_targets);
    } else {
        for (u32 i = 0; i < n_filled; i++)
            __atomic_store_n(&x86_targets[filled[i]], NULL, __ATOMIC_RELEASE);
    }
    n_filled = 0;
}
