/* smc.c: a page that holds translated code and that the application may write is write-protected; the first write
 * faults, retires the page's traces and gives the page back.
 *
 *  (1) `watched` lists the pages whose kernel protection lacks the write permission that the application gave them.
 *  (2) Guarded by the cache lock. */
#include "engine/emulate/smc.h"
#include "base/heap.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/memory.h"
#include "engine/stats.h"

static addr_t *watched;                         /* open hash by page number; 0: empty, 1: deleted */
static u32 size, used;

static u32 slot_of(addr_t page) { return (u32)((page >> 12) * 0x9e3779b1u) & (size - 1); }

static addr_t *find(addr_t page)
{
    if (!size || page < PAGE_SIZE)
        return NULL;
    for (u32 i = slot_of(page);; i = (i + 1) & (size - 1)) {
        if (watched[i] == page)
            return &watched[i];
        if (!watched[i])
            return NULL;
    }
}

static void add(addr_t page)
{
    if ((used + 1) * 2 > size) {
        addr_t *old = watched;
        u32 n = size;
        size = n ? n * 2 : 64;
        used = 0;
        watched = heap_alloc(size * sizeof *watched);
        for (u32 i = 0; i < n; i++)
            if (old[i] > 1)
                add(old[i]);
        heap_free(old, n * sizeof *old);
    }
    u32 i = slot_of(page);
    while (watched[i] > 1)
        i = (i + 1) & (size - 1);
    if (!watched[i])
        used++;
    watched[i] = page;
}

void smc_watch(addr_t page)
{
    u32 prot = mem_exec_prot(page);
    if (!(prot & K_PROT_WRITE) || find(page))
        return;
    if (!sys_failed(sys3(__NR_mprotect, page, PAGE_SIZE, prot & ~(u32)K_PROT_WRITE)))
        add(page);
}

/* Another thread may have faulted on the same page and been faster: the page is writable by now, and the write only has
 * to be tried again. Once: a page that stays unwritable is the application's own affair. */
static bool is_late(addr_t address)
{
    static __thread addr_t last;
    static __thread u64 last_count;
    if (!(mem_exec_prot(address) & K_PROT_WRITE) || (last == address && last_count == stats.smc_faults))
        return false;
    last = address;
    last_count = stats.smc_faults;
    return true;
}

bool smc_write_fault(addr_t address)
{
    addr_t page = ROUND_DOWN(address, PAGE_SIZE);
    cache_lock_take();
    addr_t *w = find(page);
    if (w) {
        *w = 1;
        cache_invalidate(page, page + PAGE_SIZE);
        sys3(__NR_mprotect, page, PAGE_SIZE, mem_exec_prot(page));
        stats.smc_faults++;
    }
    bool was_ours = w || is_late(address);
    cache_lock_drop();
    return was_ours;
}

void smc_forget(addr_t lo, addr_t hi)
{
    for (u32 i = 0; i < size; i++)
        if (watched[i] > 1 && watched[i] >= lo && watched[i] < hi)
            watched[i] = 1;
}

bool smc_unwatch_all(void)
{
    bool any = false;
    cache_lock_take();
    for (u32 i = 0; i < size; i++)
        if (watched[i] > 1) {
            addr_t page = watched[i];
            watched[i] = 1;
            cache_invalidate(page, page + PAGE_SIZE);
            sys3(__NR_mprotect, page, PAGE_SIZE, mem_exec_prot(page));
            any = true;
        }
    cache_lock_drop();
    return any;
}
