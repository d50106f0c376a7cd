/* pages.c: from a page of the application to the traces made from it.
 *
 * A hash table of the pages that have traces; the traces of a page hang from it (struct page_node).
 *  (1) Growing looks at pages, not at traces: there are ten times as many, and they are cold.
 *  (2) A page goes with its last trace.
 *  (3) A thread may die at any store: what is new is complete before it is on a list, and growth leaves a note. */
#include "base/heap.h"
#include "engine/cache/cache_int.h"

struct page { addr_t start; ref_t next, first; };
static struct { ref_t *slot; u32 bits, used; bool is_growing; } pages;
enum { FIRST_BITS = 9 };

static ref_t *slot_of(ref_t *slots, u32 bits, addr_t start)
{
    return &slots[start / PAGE_SIZE * 0x9e3779b97f4a7c15ull >> (64 - bits)];
}

static struct page *find(addr_t start)
{
    struct page *p = pages.slot ? ref_ptr(*slot_of(pages.slot, pages.bits, start)) : NULL;
    while (p && p->start != start)
        p = ref_ptr(p->next);
    return p;
}

static void hang(ref_t *slot, struct page *p)
{
    p->next = *slot;
    *slot = ptr_ref(p);
}

static void note_growth(bool is_growing) { __atomic_store_n(&pages.is_growing, is_growing, __ATOMIC_SEQ_CST); }

static void grow(void)
{
    u32 old_bits = pages.bits, bits = pages.slot ? old_bits + 2 : FIRST_BITS;
    ref_t *old = pages.slot, *bigger = heap_alloc(sizeof *bigger << bits);
    note_growth(true);
    for (u32 i = 0; old && i < 1u << old_bits; i++)
        for (struct page *p = ref_ptr(old[i]), *next; p; p = next) {
            next = ref_ptr(p->next);
            hang(slot_of(bigger, bits, p->start), p);
        }
    pages.slot = bigger;
    pages.bits = bits;
    note_growth(false);
    if (old)
        heap_free(old, sizeof *old << old_bits);
}

static struct page *find_or_make(addr_t start)
{
    struct page *p = find(start);
    if (p)
        return p;
    if (!pages.slot || pages.used >= 1u << pages.bits)
        grow();
    p = heap_alloc(sizeof *p);
    p->start = start;
    hang(slot_of(pages.slot, pages.bits, start), p);
    pages.used++;
    return p;
}

void pages_add(struct trace *t)
{
    for (u32 i = 0; i < t->n_pages; i++) {
        struct page_node *n = trace_page(t, i);
        struct page *p = find_or_make(node_page(n));
        n->next = p->first;
        p->first = ptr_ref(n);
    }
}

static void drop(struct page *p)
{
    ref_t *at = slot_of(pages.slot, pages.bits, p->start);
    while (ref_ptr(*at) != p)
        at = &((struct page *)ref_ptr(*at))->next;
    *at = p->next;
    heap_free(p, sizeof *p);
    pages.used--;
}

void pages_remove(struct trace *t)
{
    for (u32 i = 0; i < t->n_pages; i++) {
        struct page_node *gone = trace_page(t, i);
        struct page *p = find(node_page(gone));
        ref_t *at = &p->first;
        while (*at && ref_ptr(*at) != gone)
            at = &((struct page_node *)ref_ptr(*at))->next;
        if (*at)
            *at = gone->next;
        if (!p->first)
            drop(p);
    }
}

/* If somebody died over it, what there was is lost. */
void pages_clear(void)
{
    for (u32 i = 0; pages.slot && !pages.is_growing && i < 1u << pages.bits; i++)
        for (struct page *p = ref_ptr(pages.slot[i]), *next; p; p = next) {
            next = ref_ptr(p->next);
            pages.slot[i] = p->next;
            heap_free(p, sizeof *p);
        }
    if (pages.is_growing)
        pages.slot = NULL;
    pages.used = 0;
}

static bool has_traces(const struct page *p) { return p && p->first; }       /* one that somebody died over may have none */

bool cache_page_has_code(addr_t page) { return has_traces(find(ROUND_DOWN(page, PAGE_SIZE))); }

static u32 retire_page(addr_t start)
{
    u32 n = 0;
    for (struct page *p; has_traces(p = find(start)); n++)
        retire_trace(node_trace(ref_ptr(p->first)));
    return n;
}

static u32 retire_by_scan(addr_t lo, addr_t hi)
{
    u32 n = 0;
    for (u32 i = 0; i < 1u << pages.bits; i++)
        for (struct page *p = ref_ptr(pages.slot[i]); p;) {
            u32 gone = p->start >= lo && p->start < hi ? retire_page(p->start) : 0;
            p = ref_ptr(gone ? pages.slot[i] : p->next);     /* the list has changed */
            n += gone;
        }
    return n;
}

u32 cache_invalidate(addr_t lo, addr_t hi)
{
    if (!pages.used)
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
