/* directory.c: from an application address to its trace, and from a page to the traces made from it. */
#include "base/heap.h"
#include "base/lock.h"
#include "engine/cache/cache_int.h"

static struct lock mutex;
u64 cache_now = 1;

void cache_lock_take(void) { lock_take(&mutex); }
void cache_lock_drop(void) { lock_drop(&mutex); }
void cache_lock_reset(void) { lock_reset(&mutex); }
u64 cache_epoch(void) { return cache_now; }

/* ---- a growing hash table of references chained through the objects ---- */
struct table { ref_t *slot; u32 bits; u32 used; };
static struct table traces, pages;
enum { FIRST_BITS = 10 };

static u32 hash(const struct table *h, u64 key) { return (u32)((key * 0x9e3779b97f4a7c15ull) >> (64 - h->bits)); }

static void table_init(struct table *h, u32 bits)
{
    h->bits = bits;
    h->used = 0;
    h->slot = heap_alloc(sizeof(ref_t) << bits);
}

static void table_free(struct table *h) { heap_free(h->slot, sizeof(ref_t) << h->bits); }

static void insert_trace(struct table *h, struct trace *t)
{
    ref_t *slot = &h->slot[hash(h, t->pc)];
    t->hash_next = *slot;
    *slot = ptr_ref(t);
    h->used++;
}

static void grow_traces(void)
{
    struct table bigger;
    table_init(&bigger, traces.bits + 2);
    for (u32 i = 0; i < 1u << traces.bits; i++)
        for (struct trace *t = ref_ptr(traces.slot[i]), *next; t; t = next) {
            next = ref_ptr(t->hash_next);
            insert_trace(&bigger, t);
        }
    table_free(&traces);
    traces = bigger;
}

void dir_add(struct trace *t)
{
    if (!traces.slot)
        table_init(&traces, FIRST_BITS);
    if (traces.used > 1u << traces.bits)
        grow_traces();
    insert_trace(&traces, t);
}

void dir_remove(struct trace *t)
{
    for (ref_t *p = &traces.slot[hash(&traces, t->pc)]; *p; p = &((struct trace *)ref_ptr(*p))->hash_next)
        if (ref_ptr(*p) == t) {
            *p = t->hash_next;
            traces.used--;
            return;
        }
}

void dir_clear(void)
{
    if (traces.slot)
        memset(traces.slot, 0, sizeof(ref_t) << traces.bits);
    traces.used = 0;
}

struct trace *cache_find_version(addr_t pc, u32 version)
{
    if (!traces.slot)
        return NULL;
    for (struct trace *t = ref_ptr(traces.slot[hash(&traces, pc)]); t; t = ref_ptr(t->hash_next))
        if (t->pc == pc && t->version == version)
            return t;
    return NULL;
}

static struct trace *first_at(addr_t pc)
{
    struct trace *t = traces.slot ? ref_ptr(traces.slot[hash(&traces, pc)]) : NULL;
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

/* ---- pages ---- */
static void insert_page(struct table *h, struct page_node *n)
{
    ref_t *slot = &h->slot[hash(h, n->page)];
    n->next = *slot;
    *slot = ptr_ref(n);
    h->used++;
}

static void grow_pages(void)
{
    struct table bigger;
    table_init(&bigger, pages.bits + 2);
    for (u32 i = 0; i < 1u << pages.bits; i++)
        for (struct page_node *n = ref_ptr(pages.slot[i]), *next; n; n = next) {
            next = ref_ptr(n->next);
            insert_page(&bigger, n);
        }
    table_free(&pages);
    pages = bigger;
}

void pages_add(struct trace *t)
{
    if (!pages.slot)
        table_init(&pages, FIRST_BITS);
    if (pages.used > 4u << pages.bits)
        grow_pages();
    for (u32 i = 0; i < t->n_pages; i++) {
        trace_pages(t)[i].trace = ptr_ref(t);
        insert_page(&pages, &trace_pages(t)[i]);
    }
}

void pages_remove(struct trace *t)
{
    for (u32 i = 0; i < t->n_pages; i++) {
        struct page_node *gone = &trace_pages(t)[i];
        for (ref_t *p = &pages.slot[hash(&pages, gone->page)]; *p; p = &((struct page_node *)ref_ptr(*p))->next)
            if (ref_ptr(*p) == gone) {
                *p = gone->next;
                pages.used--;
                break;
            }
    }
}

void pages_clear(void)
{
    if (pages.slot)
        memset(pages.slot, 0, sizeof(ref_t) << pages.bits);
    pages.used = 0;
}

static struct page_node *first_on_page(addr_t page)
{
    struct page_node *n = pages.slot ? ref_ptr(pages.slot[hash(&pages, page)]) : NULL;
    while (n && n->page != page)
        n = ref_ptr(n->next);
    return n;
}

bool cache_page_has_code(addr_t page) { return first_on_page(ROUND_DOWN(page, PAGE_SIZE)) != NULL; }

static u32 retire_page(addr_t page)
{
    u32 n = 0;
    for (struct page_node *node; (node = first_on_page(page)); n++)
        retire_trace(ref_ptr(node->trace));
    return n;
}

static u32 retire_by_scan(addr_t lo, addr_t hi)
{
    u32 n = 0;
    for (u32 i = 0; i < 1u << pages.bits; i++)
        for (ref_t *p = &pages.slot[i]; *p;) {
            struct page_node *node = ref_ptr(*p);
            if (node->page >= lo && node->page < hi) {
                retire_trace(ref_ptr(node->trace));
                p = &pages.slot[i];               /* the chain has changed */
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
