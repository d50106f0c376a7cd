/* smc.c: a page that holds translated code and that the application may write is write-protected; the first write
 * faults, retires the page's traces and gives the page back. Memory that is mapped twice is watched in every view.
 *
 *  (1) `watched` lists the pages whose kernel protection lacks the write permission that the application gave them.
 *  (2) Guarded by the cache lock. */
#include "engine/emulate/smc.h"
#include "base/heap.h"
#include "arch_signal.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/memory.h"
#include "engine/log.h"
#include "engine/stats.h"

struct watch {
    addr_t page;                                /* write-protected; 0: never used, 1: no longer */
    addr_t code;                                /* the page that traces were made from: another view of the same memory */
    u32 prot;                                   /* what the application gave `page` */
};

static struct watch *watched;                   /* open hash by page */
static u32 size, used;
static bool has_shared_code;
static bool has_relatives;                      /* another process has what memory this one shares */
enum { MAX_FILES = 8 };
static u64 code_file[MAX_FILES];                /* inodes of shared code; the last stands for any once there are too many */
static u32 n_code_files;
static addr_t first = ~0ull, last;              /* all pages ever watched are within; read without the lock */

static u32 slot_of(addr_t page) { return (u32)((page >> 12) * 0x9e3779b1u) & (size - 1); }

static struct watch *find(addr_t page)
{
    if (!size || page < PAGE_SIZE)
        return NULL;
    for (u32 i = slot_of(page);; i = (i + 1) & (size - 1)) {
        if (watched[i].page == page)
            return &watched[i];
        if (!watched[i].page)
            return NULL;
    }
}

static void add(struct watch w)
{
    if ((used + 1) * 2 > size) {
        struct watch *old = watched;
        u32 n = size;
        size = n ? n * 2 : 64;
        used = 0;
        watched = heap_alloc(size * sizeof *watched);
        for (u32 i = 0; i < n; i++)
            if (old[i].page > 1)
                add(old[i]);
        heap_free(old, n * sizeof *old);
    }
    u32 i = slot_of(w.page);
    while (watched[i].page > 1)
        i = (i + 1) & (size - 1);
    if (!watched[i].page)
        used++;
    watched[i] = w;
}

static void protect(addr_t page, addr_t code, u32 prot)
{
    if (!find(page) && !sys_failed(sys3(__NR_mprotect, page, PAGE_SIZE, prot & 7 & ~(u32)K_PROT_WRITE)))
        add((struct watch){ page, code, prot & 7 });
    first = MIN(first, page);
    last = MAX(last, page);
}

static void note_file(addr_t page)
{
    u64 inode = mem_inode(page);
    for (u32 i = 0; i < n_code_files; i++)
        if (code_file[i] == inode)
            return;
    if (inode && n_code_files < MAX_FILES)
        code_file[n_code_files++] = inode;
}

void smc_watch(addr_t page)
{
    u32 prot = mem_learn_prot(page);
    if (prot & K_PROT_WRITE)
        protect(page, page, prot);
    if (prot & MEM_SHARED && !cache_page_has_code(page)) {
        has_shared_code = true;
        note_file(page);
        mem_each_view(page, protect);
    }
}

static void give_back(struct watch *w)
{
    addr_t page = w->page;
    w->page = 1;
    cache_invalidate(w->code, w->code + PAGE_SIZE);
    sys3(__NR_mprotect, page, PAGE_SIZE, w->prot);
}

static void forget(struct watch *w) { w->page = 1; }

/* Every watched page in [lo, hi): by look-up or by a walk, whichever is shorter. */
static bool each_watched(addr_t lo, addr_t hi, void (*f)(struct watch *w))
{
    bool any = false;
    if ((hi - lo) / PAGE_SIZE < size) {
        for (addr_t page = ROUND_DOWN(lo, PAGE_SIZE); page < hi; page += PAGE_SIZE) {
            struct watch *w = find(page);
            if (w)
                f(w);
            any |= w != NULL;
        }
        return any;
    }
    for (u32 i = 0; i < size; i++)
        if (watched[i].page > 1 && watched[i].page + PAGE_SIZE > lo && watched[i].page < hi) {
            f(&watched[i]);
            any = true;
        }
    return any;
}

/* Another thread may have faulted on the same page and been faster: the page is writable by now, and the write only has
 * to be tried again. Once: a page that stays unwritable is the application's own affair. */
static bool is_late(addr_t address)
{
    static __thread addr_t last;
    static __thread u64 last_count;
    bool may_be = mem_exec_prot(address) & K_PROT_WRITE || has_shared_code;
    if (!may_be || (last == address && last_count == stats.smc_faults))
        return false;
    last = address;
    last_count = stats.smc_faults;
    return true;
}

bool smc_write_fault(addr_t address)
{
    cache_lock_take();
    struct watch *w = find(ROUND_DOWN(address, PAGE_SIZE));
    if (w) {
        log_event("write to translated code at 0x%lx", address);
        give_back(w);
        stats.smc_faults++;
    }
    bool was_ours = w || is_late(address);
    cache_lock_drop();
    return was_ours;
}

void smc_forget(addr_t lo, addr_t hi) { each_watched(lo, hi, forget); }
void smc_release(addr_t lo, addr_t hi) { each_watched(lo, hi, give_back); }

bool smc_unwatch_all(void)
{
    cache_lock_take();
    bool any = each_watched(0, ~0ull, give_back);
    stats.smc_faults += any;
    cache_lock_drop();
    return any;
}

bool smc_is_watching(void) { return first <= last; }

bool smc_expose(addr_t at, size_t n)
{
    if (at > last + (PAGE_SIZE - 1) || at + n <= first || !n || at + n < at)
        return false;
    cache_lock_take();
    bool any = each_watched(at, at + n, give_back);
    cache_lock_drop();
    return any;
}

bool smc_write(void *to, const void *from, size_t n)
{
    return mem_copy_safely(to, from, n) || (smc_expose((addr_t)to, n) && mem_copy_safely(to, from, n));
}

/* ---- written by others ---- */
bool smc_is_foreign(addr_t at)
{
    u32 prot = mem_learn_prot(at);
    return UNLIKELY(prot & MEM_SHARED) && (prot & MEM_NAMED || has_relatives);
}

static void meet_relatives(void)
{
    if (has_shared_code && !has_relatives)
        cache_flush_all();                      /* what is translated anew is checked */
    has_relatives = true;
}

void smc_before_fork(void)
{
    cache_lock_take();
    meet_relatives();
    cache_lock_drop();
}

void smc_file_written(int fd)
{
    struct { u64 dev, inode; u8 rest[128]; } st;
    if (LIKELY(!n_code_files) || has_relatives || sys_failed(sys2(__NR_fstat, fd, &st)))
        return;
    cache_lock_take();
    for (u32 i = 0; i < n_code_files; i++)
        if (code_file[i] == st.inode || n_code_files == MAX_FILES)
            meet_relatives();
    cache_lock_drop();
}

void smc_new_view(void)
{
    if (!has_shared_code)
        return;
    cache_lock_take();
    cache_flush_all();                          /* what is translated anew is watched in the new view too */
    cache_lock_drop();
}
