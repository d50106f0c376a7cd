/* heap.c: see heap.h. Blocks of similar size live side by side in a span; a page table leads from an address to its span.
 *  (1) Bytes of a span that belong to no live block are OUTSIDE or FREED.
 *  (2) The first page of the heap is never given out and its state stays FINE: see check.c. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include <sys/mman.h>

struct span { ADDRINT at; size_t step; UINT32 n; struct chunk *blocks; };

enum { CLASSES = 260, SPAN_SIZE = 64 << 10, LARGE = 32 << 10 };
static struct chunk *unused[CLASSES];
static VEC(struct span *) spans;
static UINT32 *span_of_page;                    /* 1 + index in spans */
static ADDRINT arena_end = HEAP_LO + PAGE;
static struct chunk *oldest, **newest = &oldest;
static size_t freed_bytes, freed_limit;
static PIN_MUTEX lock;

VOID arena_lock(VOID) { PIN_MutexLock(&lock); }
VOID arena_unlock(VOID) { PIN_MutexUnlock(&lock); }

static VOID *reserve(ADDRINT at, size_t size)
{
    VOID *p = mmap((VOID *)at, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (p == MAP_FAILED || (at && p != (VOID *)at))
        tool_fail("cannot reserve %zu GB of addresses for the checked heap: is `ulimit -v` set? (%m)", size >> 30);
    return p;
}

VOID arena_begin(size_t quarantine)
{
    PIN_MutexInit(&lock);
    reserve(HEAP_LO, HEAP_SIZE);
    reserve(HEAP_LO + STATE_GAP, HEAP_SIZE);
    span_of_page = reserve(0, HEAP_SIZE / PAGE * sizeof *span_of_page);
    freed_limit = quarantine;
}

/* ---- sizes: 16 bytes apart up to 512, then eight steps per doubling ---- */
static UINT32 class_of(size_t step, size_t *rounded)
{
    if (step <= 512) {
        *rounded = (step + 15) & ~15ul;
        return (UINT32)(*rounded / 16);
    }
    UINT32 log = 63 - (UINT32)__builtin_clzl(step - 1);
    size_t unit = 1ul << (log - 3);
    *rounded = (step + unit - 1) & ~(unit - 1);
    return 33 + (log - 9) * 8 + (UINT32)((*rounded - 1 - (1ul << log)) / unit);
}

static struct span *add_span(size_t size, size_t step)
{
    size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    if (size < step || size > HEAP_LO + HEAP_SIZE - arena_end)
        return NULL;
    struct span *s = need(sizeof *s);
    s->at = arena_end;
    s->step = step;
    s->n = (UINT32)(size / step);
    s->blocks = need(s->n * sizeof *s->blocks);
    arena_end += size;
    VEC_ADD(spans, s);
    for (ADDRINT a = s->at; a < arena_end; a += PAGE)
        span_of_page[(a - HEAP_LO) / PAGE] = (UINT32)spans.n;
    arena_mark(s->at, size, BYTE_OUTSIDE);
    return s;
}

static ADDRINT place_of(const struct chunk *b)
{
    struct span *s = spans.at[span_of_page[(b->at - HEAP_LO) / PAGE] - 1];
    return s->at + (ADDRINT)(b - s->blocks) * s->step;
}

/* A free place of a class: the block's `at` is where the place begins. */
static struct chunk *take(UINT32 class, size_t step)
{
    struct chunk *b = unused[class];
    if (!b) {
        struct span *s = add_span(step < LARGE ? SPAN_SIZE : step, step);
        if (!s)
            return NULL;
        for (UINT32 i = s->n; i-- > 0;) {
            s->blocks[i] = (struct chunk){ .at = s->at + i * step, .class = class, .next = unused[class] };
            unused[class] = &s->blocks[i];
        }
        b = unused[class];
    }
    unused[class] = b->next;
    return b;
}

struct chunk *arena_new(size_t size, size_t alignment)
{
    size_t guard = GUARD > alignment ? GUARD : alignment, step;
    if (size > HEAP_SIZE / 2 || alignment > HEAP_SIZE / 4)
        return NULL;
    /* What an alignment beyond 16 takes, it takes in front. */
    step = guard + size + GUARD + (alignment > GUARD ? alignment : 0);
    UINT32 class = class_of(step, &step);
    struct chunk *b = take(class, step);
    if (!b)
        return NULL;
    b->at = (b->at + guard + alignment - 1) & ~(alignment - 1);
    b->size = size;
    b->life = LIFE_LIVE;
    b->freed = NULL;
    arena_mark(b->at, size, BYTE_UNSET);
    return b;
}

/* ---- the end of a block ---- */
/* Whole pages of a large one go back to the system. */
static VOID give_pages(const struct chunk *b)
{
    ADDRINT from = (b->at + PAGE - 1) & ~(ADDRINT)(PAGE - 1), to = (b->at + b->size) & ~(ADDRINT)(PAGE - 1);
    if (to > from + LARGE)
        madvise((VOID *)from, to - from, MADV_DONTNEED);
}

static VOID release(struct chunk *b)
{
    give_pages(b);
    arena_mark(b->at, b->size, BYTE_OUTSIDE);
    b->at = place_of(b);
    b->life = LIFE_NONE;
    b->next = unused[b->class];
    unused[b->class] = b;
}

VOID arena_free(struct chunk *b)
{
    b->life = LIFE_FREED;
    arena_mark(b->at, b->size, BYTE_FREED);
    b->next = NULL;
    *newest = b;
    newest = &b->next;
    freed_bytes += b->size + 2 * GUARD;
    while (freed_bytes > freed_limit && oldest != b) {
        struct chunk *o = oldest;
        oldest = o->next;                       /* never the last: b is behind it */
        freed_bytes -= o->size + 2 * GUARD;
        release(o);
    }
}

/* ---- finding ---- */
static struct span *span_at(ADDRINT a)
{
    UINT32 k = span_of_page[(a - HEAP_LO) / PAGE];
    return k ? spans.at[k - 1] : NULL;
}

struct chunk *arena_exact(ADDRINT a)
{
    struct span *s = span_at(a);
    if (!s || (a - s->at) / s->step >= s->n)
        return NULL;
    struct chunk *b = &s->blocks[(a - s->at) / s->step];
    return b->life != LIFE_NONE && b->at == a ? b : NULL;
}

static size_t distance(const struct chunk *b, ADDRINT a)
{
    if (a < b->at)
        return b->at - a;
    return a < b->at + b->size ? 0 : a - (b->at + b->size) + 1;
}

struct chunk *arena_near(ADDRINT a)
{
    struct chunk *best = NULL;
    struct span *s = span_at(a);
    /* A little further, for what lies past the end of the last span. */
    for (ADDRINT back = PAGE; !s && back <= 4 * PAGE && a - back >= HEAP_LO; back += PAGE)
        s = span_at(a - back);
    if (!s)
        return NULL;
    UINT64 i = (a - s->at) / s->step;
    for (UINT64 k = i ? i - 1 : 0; k <= i + 1 && k < s->n; k++) {
        struct chunk *b = &s->blocks[k];
        if (b->life != LIFE_NONE && (!best || distance(b, a) < distance(best, a)))
            best = b;
    }
    return best;
}

VOID arena_each(VOID (*visit)(struct chunk *b))
{
    for (size_t i = 0; i < spans.n; i++)
        for (UINT32 k = 0; k < spans.at[i]->n; k++)
            if (spans.at[i]->blocks[k].life == LIFE_LIVE)
                visit(&spans.at[i]->blocks[k]);
}
