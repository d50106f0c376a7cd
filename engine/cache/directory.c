/* directory.c: from an application address to its trace, and from a page to the traces made from it. */
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
static struct table traces, pages;
enum { FIRST_TRACES = 12, FIRST_PAGES = 9 };          /* bits */

static u64 mix(u64 key) { return key * 0x9e3779b97f4a7c15ull; }
static u32 hash_bit(u64 key) { return 1u << (mix(key) >> 8 & 31); }
static struct slot *slot_of(const struct table *h, u64 key) { return &h->slot[mix(key) >> (64 - h->bits)]; }
static ref_t find_chain(const struct table *h, u64 key)
{
    struct slot *s = h->slot ? slot_of(h, key) : NULL;
    return s && s->has & hash_bit(key) ? s->first : 0;
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
        first_table(&traces, FIRST_TRACES);
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

/* ---- pages: many nodes of few pages, so the table grows by the slots in use ---- */
static void insert_page(struct table *h, struct page_node *n)
{
    addr_t page = node_page(n);
    struct slot *s = slot_of(h, page);
    h->used += !s->first;
    n->next = s->first;
    s->first = ptr_ref(n);
    s->has |= hash_bit(page);
}

static void grow_pages(void)
{
    struct table bigger;
    table_init(&bigger, pages.bits + 2);
    note_growth(&pages, true);
    for (u32 i = 0; i < 1u << pages.bits; i++)
        for (struct page_node *n = ref_ptr(pages.slot[i].first), *next; n; n = next) {
            next = ref_ptr(n->next);
            insert_page(&bigger, n);
        }
    table_replace(&pages, &bigger);
}

void pages_add(struct trace *t)
{
    if (!pages.slot)
        first_table(&pages, FIRST_PAGES);
    if (pages.used > 1u << (pages.bits - 1))
        grow_pages();
    for (u32 i = 0; i < t->n_pages; i++)
        insert_page(&pages, trace_page(t, i));
}

void pages_remove(struct trace *t)
{
    for (u32 i = 0; i < t->n_pages; i++) {
        struct page_node *gone = trace_page(t, i);
        struct slot *s = slot_of(&pages, node_page(gone));
        for (ref_t *p = &s->first; *p; p = &((struct page_node *)ref_ptr(*p))->next)
            if (ref_ptr(*p) == gone) {
                *p = gone->next;
                pages.used -= !s->first;
                break;
            }
    }
}

void pages_clear(void) { table_clear(&pages); }

static struct page_node *first_on_page(addr_t page)
{
    struct page_node *n = ref_ptr(find_chain(&pages, page));
    while (n && node_page(n) != page)
        n = ref_ptr(n->next);
    return n;
}

bool cache_page_has_code(addr_t page) { return first_on_page(ROUND_DOWN(page, PAGE_SIZE)) != NULL; }

static u32 retire_page(addr_t page)
{
    u32 n = 0;
    for (struct page_node *node; (node = first_on_page(page)); n++)
        retire_trace(node_trace(node));
    return n;
}

static u32 retire_by_scan(addr_t lo, addr_t hi)
{
    u32 n = 0;
    for (u32 i = 0; i < 1u << pages.bits; i++)
        for (ref_t *p = &pages.slot[i].first; *p;) {
            struct page_node *node = ref_ptr(*p);
            if (node_page(node) >= lo && node_page(node) < hi) {
                retire_trace(node_trace(node));
                p = &pages.slot[i].first;         /* the chain has changed */
                n++;
            } else {
                p = &node->next;
            }
        }
    return n;
}

u32 cache_invalidate(addr_t lo, addr_t hi)
{
    if (!pages.slot || !pages.used)
        return 0;
    lo = ROUND_DOWN(lo, PAGE_SIZE);
    u32 n = 0;
    if ((hi - lo) / PAGE_SIZE > 1u << pages.bits)
        n = retire_by_scan(lo, hi);
    else
        for (addr_t page = lo; page < hi; page += PAGE_SIZE)
            n += retire_page(page);
    cache_thin_out();
    return n;
}
