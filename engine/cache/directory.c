/* directory.c: from an application address to its trace. */
#include "base/heap.h"
#include "base/lock.h"
#include "base/sys.h"
#include "engine/cache/cache_int.h"

static struct lock mutex;
u64 cache_now = 1;

void cache_lock_take(void) { lock_take(&mutex); }
void cache_lock_drop(void) { lock_drop(&mutex); }
void cache_lock_reset(void) { lock_reset(&mutex); }
bool cache_lock_take_over(u32 dead)
{
    if (LIKELY(!lock_died_with(&mutex, dead)))
        return false;
    lock_inherit(&mutex);
    return true;
}
u64 cache_epoch(void) { return cache_now; }

/* ---- a growing hash table of references chained through the objects ----
 * Most questions are about addresses that are not there: a slot also has a set of hashes, with a bit for each key of its
 * chain (and of former ones), so that the objects themselves, which are cold, are rarely looked at in vain. */
struct slot { ref_t first; u32 has; };
struct table { struct slot *slot; u32 bits; u32 used; bool is_growing; };
static struct table traces;
enum { FIRST_BITS = 12 };

/* Code that is near has its slots near: a trace leads to its neighbours, and a line of the table that is touched for the first
 * time costs more than the look itself. */
enum { NEAR_BITS = 6, GRAIN_BITS = 3, GROUP_BITS = NEAR_BITS - GRAIN_BITS };
static u64 hash_of(addr_t pc) { return (pc >> NEAR_BITS) * 0x9e3779b97f4a7c15ull; }
static u32 hash_bit(addr_t pc) { return 1u << ((hash_of(pc) >> 8 ^ pc) & 31); }
static struct slot *slot_of(const struct table *h, addr_t pc)
{
    u64 group = hash_of(pc) >> (64 + GROUP_BITS - h->bits);
    return &h->slot[group << GROUP_BITS | (pc >> GRAIN_BITS & ((1u << GROUP_BITS) - 1))];
}

static ref_t find_chain(const struct table *h, addr_t pc)
{
    struct slot *s = h->slot ? slot_of(h, pc) : NULL;
    return s && s->has & hash_bit(pc) ? s->first : 0;
}

/* A slot is read before it is written, which would be two faults for each fresh page. */
static void table_init(struct table *h, u32 bits)
{
    enum { MUCH = 1 << 20 };
    size_t size = sizeof(struct slot) << bits;
    *h = (struct table){ heap_alloc(size), bits, 0, false };
    if (size <= MUCH)
        sys3(__NR_madvise, h->slot, size, K_MADV_POPULATE_WRITE);
}

/* h is being moved to a bigger one: whoever dies meanwhile leaves a note. */
static void note_growth(struct table *h, bool is_growing) { __atomic_store_n(&h->is_growing, is_growing, __ATOMIC_SEQ_CST); }

static void table_replace(struct table *h, const struct table *bigger)
{
    struct table old = *h;
    h->slot = bigger->slot;
    h->bits = bigger->bits;
    h->used = bigger->used;
    note_growth(h, false);
    heap_free(old.slot, sizeof(struct slot) << old.bits);
}

static void first_table(struct table *h, u32 bits)
{
    struct table first;
    table_init(&first, bits);
    note_growth(h, true);
    table_replace(h, &first);
}

static void table_clear(struct table *h)
{
    if (h->is_growing)                            /* somebody died over it */
        *h = (struct table){ 0 };
    if (h->slot)
        memset(h->slot, 0, sizeof(struct slot) << h->bits);
    h->used = 0;
}

static void insert_trace(struct table *h, struct trace *t)
{
    struct slot *s = slot_of(h, t->pc);
    t->hash_next = s->first;
    s->first = ptr_ref(t);
    s->has |= hash_bit(t->pc);
    h->used++;
}

static void grow_traces(void)
{
    struct table bigger;
    table_init(&bigger, traces.bits + (traces.bits < 16 ? 2 : 1));    /* later steps are smaller: it is memory */
    note_growth(&traces, true);
    for (u32 i = 0; i < 1u << traces.bits; i++)
        for (struct trace *t = ref_ptr(traces.slot[i].first), *next; t; t = next) {
            next = ref_ptr(t->hash_next);
            insert_trace(&bigger, t);
        }
    table_replace(&traces, &bigger);
}

void dir_add(struct trace *t)
{
    if (!traces.slot)
        first_table(&traces, FIRST_BITS);
    if (traces.used > 1u << traces.bits)
        grow_traces();
    insert_trace(&traces, t);
}

void dir_remove(struct trace *t)
{
    for (ref_t *p = &slot_of(&traces, t->pc)->first; *p; p = &((struct trace *)ref_ptr(*p))->hash_next)
        if (ref_ptr(*p) == t) {
            *p = t->hash_next;
            traces.used--;
            return;
        }
}

void dir_clear(void) { table_clear(&traces); }

void cache_expect(addr_t pc)
{
    if (traces.slot)
        __builtin_prefetch(slot_of(&traces, pc));
}

struct trace *cache_find_version(addr_t pc, u32 version)
{
    for (struct trace *t = ref_ptr(find_chain(&traces, pc)); t; t = ref_ptr(t->hash_next))
        if (t->pc == pc && trace_version(t) == version)
            return t;
    return NULL;
}

static struct trace *first_at(addr_t pc)
{
    struct trace *t = ref_ptr(find_chain(&traces, pc));
    while (t && t->pc != pc)
        t = ref_ptr(t->hash_next);
    return t;
}

u32 cache_invalidate_at(addr_t pc)
{
    u32 n = 0;
    for (struct trace *t; (t = first_at(pc)); n++)
        retire_trace(t);
    return n;
}
