/* lessons.c: see lessons.h. */
#include "engine/jit/lessons.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/client.h"
#include "engine/emulate/memory.h"
#include "engine/hooks.h"
#include "engine/jit/jit.h"
#include "engine/jit/promote.h"
#include "engine/stats.h"

/* from: where the trace begins that has the exit; 0: none. `to` is written last: a note without one is not complete. */
struct note { addr_t from, to; u8 why; };
enum { MOST = (PRIV_HEAP - PRIV_SHARED - PAGE_SIZE) / sizeof(struct note) };
#define notes ((struct note *)(PRIV_SHARED + PAGE_SIZE))

static bool is_child;
static u32 n_known;                           /* of these notes nothing is to be learnt any more */

void lessons_forked(void) { is_child = true; }

static bool does_tool_mind(void) { return hooks.trace_inserted || hooks.fetch || (hooks.instrument && !promote_callbacks_are_pure()); }

/* Nor where traces are counted, be it to find one by its number, or because there must not be many. Cache lock held. */
static bool is_on(void) { return !opt->no_lessons && !does_tool_mind() && !opt->cache_limit && !opt->trace_from && !~opt->trace_to; }

void lessons_note(const struct trace *to, enum entry_kind why, const struct exit *x)
{
    if (LIKELY(!is_child) || family->n_notes >= MOST || !is_on())
        return;
    u32 i = __atomic_fetch_add(&family->n_notes, 1, __ATOMIC_RELAXED);
    if (i >= MOST)
        return;
    notes[i].from = x ? exit_trace(x)->pc : 0;
    notes[i].why = (u8)why;
    __atomic_store_n(&notes[i].to, to->pc, __ATOMIC_RELEASE);
    n_known += n_known == i;                  /* its own */
}

static bool may_learn(addr_t pc)
{
    u32 prot = mem_exec_prot(pc);
    return prot && !(prot & (K_PROT_WRITE | MEM_SHARED | MEM_MAYBE_SHARED));
}

/* As code_for in dispatch/run.c does it for the thread that comes there. */
static void learn(struct arch_thread *by, addr_t from_pc, addr_t pc, enum entry_kind why)
{
    struct fetch_fault unused;
    struct trace *from = from_pc ? cache_find(from_pc) : NULL;
    struct trace *to = may_learn(pc) ? jit_get(pc, 0, why, why == ENTRY_JUMP ? from : NULL, &unused) : NULL;
    if (to && from)
        jit_link_exits(from);
    if (to && (why == ENTRY_INDIRECT || why == ENTRY_RETURN) && !to->is_checked)
        arch_landing_add(by, to, why);
}

void lessons_learn(struct arch_thread *by)
{
    u32 n = MIN(__atomic_load_n(&family->n_notes, __ATOMIC_ACQUIRE), (u32)MOST);
    if (n_known == n)
        return;
    client_lock();                            /* ranks first */
    cache_lock_take();
    u64 before = stats.traces;
    for (; n_known < n && is_on(); n_known++) {
        const struct note *k = &notes[n_known];
        addr_t to = __atomic_load_n(&k->to, __ATOMIC_ACQUIRE);
        if (to)
            learn(by, k->from, to, k->why);
    }
    stats.learnt += stats.traces - before;
    cache_lock_drop();
    client_unlock();
}
