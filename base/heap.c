/* heap.c: size classes over chunks that come from a bump pointer.
 *  (1) A free block of class c holds the pointer to the next one in its first word.
 *  (2) Page blocks are kept by exact size: the engine asks for few sizes (stacks, cache blocks). */
#include "base/heap.h"
#include "base/lock.h"
#include "base/panic.h"
#include "base/reserve.h"
#include "base/str.h"
#include "base/sys.h"

void (*heap_on_failure)(size_t size);

enum { RESERVE = 8 << 20 };
enum { MIN_SHIFT = 4, MAX_SHIFT = 15, N_CLASSES = (MAX_SHIFT - MIN_SHIFT) * 4 + 1, CHUNK = 64 * 1024 };

static struct lock mutex;
static addr_t next_page, end_page;
static u8 *chunk, *chunk_end;
static void *free_list[N_CLASSES];
static u64 used;

struct free_pages { struct free_pages *next; size_t size; };
static struct free_pages *pages;

void heap_init(addr_t lo, addr_t hi)
{
    next_page = lo;
    end_page = hi - RESERVE;
    reserve_init(end_page, hi);
}

struct lock *heap_lock(void) { return &mutex; }
void heap_after_fork(void) { lock_reset(&mutex); }
u64 heap_used(void) { return used; }

/* The lists change by one store each, so they are right at any instant; the chunk does not: what is left of it is given up. */
void heap_take_over(u32 dead)
{
    if (LIKELY(!lock_died_with(&mutex, dead)))
        return;
    lock_inherit(&mutex);
    chunk = chunk_end = NULL;
    lock_drop(&mutex);
}

/* Four classes to each power of two: at most a fifth of a block is wasted. */
static u32 class_of(size_t size, size_t *rounded)
{
    u32 c = 0;
    size_t step = 1u << (MIN_SHIFT - 2), at = 1u << MIN_SHIFT;
    while (at < size) {
        at += step;
        if (++c % 4 == 0)
            step *= 2;
    }
    *rounded = ROUND_UP(at, 16);
    return c;
}

static void *map_pages(size_t size)
{
    if (next_page + size > end_page)
        ct_fatal("the engine is out of address space (%lu bytes wanted)", (unsigned long)size);
    addr_t wanted = next_page;
    __atomic_store_n(&next_page, wanted + size, __ATOMIC_RELEASE);     /* first: whoever is killed here leaves nothing in the way */
    long at = reserve_map(wanted, size, K_PROT_READ | K_PROT_WRITE);
    if (sys_failed(at) && heap_on_failure)
        heap_on_failure(size);
    if (sys_failed(at))
        ct_fatal("the engine cannot get %lu bytes of memory (error %ld): raise the memory limit of the process",
                 (unsigned long)size, -at);
    return (void *)at;
}

static void *free_pages_locked(size_t size)
{
    for (struct free_pages **p = &pages; *p; p = &(*p)->next)
        if ((*p)->size == size) {
            struct free_pages *hit = *p;
            *p = hit->next;
            memset(hit, 0, sizeof *hit);
            return hit;
        }
    return NULL;
}

static void *pages_locked(size_t size)
{
    void *p = free_pages_locked(size);
    return p ? p : map_pages(size);
}

void *heap_try_pages(size_t size)
{
    size = ROUND_UP(size, PAGE_SIZE);
    lock_take(&mutex);
    void *p = free_pages_locked(size);
    if (!p && next_page + size <= end_page) {
        addr_t wanted = next_page;
        __atomic_store_n(&next_page, wanted + size, __ATOMIC_RELEASE);
        p = sys_failed(sys_mmap_fixed(wanted, size, K_PROT_READ | K_PROT_WRITE)) ? NULL : (void *)wanted;
    }
    if (p)
        used += size;
    lock_drop(&mutex);
    return p;
}

void *heap_pages(size_t size)
{
    size = ROUND_UP(size, PAGE_SIZE);
    lock_take(&mutex);
    used += size;
    void *p = pages_locked(size);
    lock_drop(&mutex);
    return p;
}

void heap_free_pages(void *p, size_t size)
{
    size = ROUND_UP(size, PAGE_SIZE);
    sys3(__NR_madvise, p, size, K_MADV_DONTNEED);
    struct free_pages *f = p;
    lock_take(&mutex);
    used -= size;
    f->next = pages;
    f->size = size;
    __atomic_store_n(&pages, f, __ATOMIC_RELEASE);
    lock_drop(&mutex);
}

void *heap_alloc(size_t size)
{
    if (size > (1u << MAX_SHIFT) / 2)
        return heap_pages(size);
    size_t rounded;
    u32 c = class_of(size, &rounded);
    lock_take(&mutex);
    void **p = free_list[c];
    bool is_fresh = !p;                         /* from the kernel, and so all zero */
    if (p) {
        free_list[c] = *p;
    } else {
        if (chunk + rounded > chunk_end) {
            chunk = pages_locked(CHUNK);
            chunk_end = chunk + CHUNK;
            sys3(__NR_madvise, chunk, CHUNK, K_MADV_POPULATE_WRITE);    /* one call instead of a fault for each page */
        }
        p = (void **)chunk;
        chunk += rounded;
    }
    used += rounded;
    lock_drop(&mutex);
    if (!is_fresh)
        memset(p, 0, rounded);
    return p;
}

void heap_free(void *p, size_t size)
{
    if (!p)
        return;
    if (size > (1u << MAX_SHIFT) / 2) {
        heap_free_pages(p, size);
        return;
    }
    size_t rounded;
    u32 c = class_of(size, &rounded);
    lock_take(&mutex);
    used -= rounded;
    *(void **)p = free_list[c];
    __atomic_store_n(&free_list[c], p, __ATOMIC_RELEASE);
    lock_drop(&mutex);
}
