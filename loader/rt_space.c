/* rt_space.c: which addresses of [PRIV_MMAP, PRIV_HI) are free.
 *
 * The kernel's own choice would be an address of the application's, and would shift the application's next mapping. A
 * sorted array of free extents, first fit, is enough: a libc maps rarely, and neighbours grow together again.
 *
 *  (1) Extents are sorted, disjoint and never touch.
 *  (2) Everything outside the extents is in use, the array's own pages included.
 *  (3) No libc function is called: this runs before TLS and relocation of the libc are complete. */
#include "rt_int.h"

struct extent { addr_t lo, hi; };

enum { EXTENTS_MAX = 1 << 18 };
#define TABLE_SIZE (EXTENTS_MAX * sizeof(struct extent))

struct lock rt_space_lock;
static struct extent *table;
static size_t n_extents;

static bool table_ready(void)
{
    if (table)
        return true;
    if (sys_failed(sys_mmap_fixed(PRIV_MMAP, TABLE_SIZE, K_PROT_READ | K_PROT_WRITE)))
        return false;
    table = (struct extent *)PRIV_MMAP;
    table[0] = (struct extent){PRIV_MMAP + TABLE_SIZE + PAGE_SIZE, PRIV_HI};
    n_extents = 1;
    return true;
}

/* First extent that ends after `at`. */
static size_t find(addr_t at)
{
    size_t lo = 0, hi = n_extents;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (table[mid].hi <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void remove_at(size_t i, size_t count)
{
    n_extents -= count;
    for (; i < n_extents; i++)
        table[i] = table[i + count];
}

static bool insert_at(size_t i, struct extent e)
{
    if (n_extents == EXTENTS_MAX)
        return false;
    for (size_t k = n_extents++; k > i; k--)
        table[k] = table[k - 1];
    table[i] = e;
    return true;
}

/* Take [lo, hi) out of extent i, which holds it. */
static bool carve(size_t i, addr_t lo, addr_t hi)
{
    struct extent *e = &table[i];
    if (e->lo == lo && e->hi == hi)
        remove_at(i, 1);
    else if (e->lo == lo)
        e->lo = hi;
    else if (e->hi == hi)
        e->hi = lo;
    else {
        if (!insert_at(i + 1, (struct extent){hi, e->hi}))
            return false;
        table[i].hi = lo;
    }
    return true;
}

/* One page beyond each mapping stays free, so that an overrun faults. */
addr_t space_take_any(size_t size)
{
    if (!table_ready() || size == 0)
        return 0;
    for (size_t i = 0; i < n_extents; i++) {
        addr_t lo = table[i].lo, room = table[i].hi - lo;
        if (room > PAGE_SIZE && room - PAGE_SIZE >= size)
            return carve(i, lo + PAGE_SIZE, lo + PAGE_SIZE + size) ? lo + PAGE_SIZE : 0;
    }
    return 0;
}

bool space_take_at(addr_t at, size_t size)
{
    if (!table_ready() || size == 0 || at + size < at)
        return false;
    size_t i = find(at);
    return i < n_extents && table[i].lo <= at && table[i].hi >= at + size && carve(i, at, at + size);
}

void space_claim(addr_t at, size_t size)
{
    if (!table_ready())
        return;
    for (size_t i = find(at); i < n_extents && table[i].lo < at + size; i = find(at)) {
        if (!carve(i, MAX(at, table[i].lo), MIN(at + size, table[i].hi)))
            return;
    }
}

void space_give(addr_t at, size_t size)
{
    if (!table_ready())
        return;
    addr_t lo = MAX(at, (addr_t)PRIV_MMAP + TABLE_SIZE + PAGE_SIZE), hi = MIN(at + size, (addr_t)PRIV_HI);
    if (lo >= hi)
        return;
    /* The new extent swallows every old one that overlaps or touches it. */
    size_t first = find(lo - 1), last = first;
    for (; last < n_extents && table[last].lo <= hi; last++) {
        lo = MIN(lo, table[last].lo);
        hi = MAX(hi, table[last].hi);
    }
    if (last > first) {
        table[first] = (struct extent){lo, hi};
        remove_at(first + 1, last - first - 1);
    } else {
        insert_at(first, (struct extent){lo, hi});   /* a full table leaks address space, nothing else */
    }
}
