/* smc.c: a page that holds translated code and that the application may write is write-protected; the first write
 * faults, retires the page's traces and gives the page back. Memory that is mapped twice is watched in every view.
 *
 *  (1) `watched` lists the pages whose kernel protection lacks the write permission that the application gave them.
 *  (2) Guarded by the cache lock. A vfork child may be killed while it has that: so a page is on the list before it is
 *      protected and until it is not any more, and the list is replaced by one store. */
#include "engine/emulate/smc.h"
#include "base/heap.h"
#include "arch_signal.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/expose.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/views.h"
#include "engine/log.h"
#include "engine/stats.h"

struct watch {
    addr_t page;                                /* write-protected; 0: never used, 1: no longer */
    u32 prot;                                   /* what the application gave it */
};

struct list { u32 size, used; struct watch at[]; };
static struct list *watched;                    /* open hash by page */
static bool is_off;                             /* the tool wants no notice */
static bool has_shared_code;
static bool has_relatives;                      /* another process has what memory this one shares */
static bool has_silent_writers;                 /* the kernel writes where it likes, at any time: no page is watched */
enum { MAX_FILES = 8 };
static u64 code_file[MAX_FILES];                /* inodes of shared code; the last stands for any once there are too many */
static u32 n_code_files;
static addr_t first = ~0ull, last;              /* all pages ever watched are within; read without the lock */

static u32 list_size(void) { return watched ? watched->size : 0; }
static u32 slot_of(const struct list *l, addr_t page) { return (u32)((page >> 12) * 0x9e3779b1u) & (l->size - 1); }

static struct watch *find(addr_t page)
{
    struct list *l = watched;
    if (!l || page < PAGE_SIZE)
        return NULL;
    for (u32 i = slot_of(l, page);; i = (i + 1) & (l->size - 1)) {
        if (l->at[i].page == page)
            return &l->at[i];
        if (!l->at[i].page)
            return NULL;
    }
}

static void put(struct list *l, struct watch w)
{
    u32 i = slot_of(l, w.page);
    while (l->at[i].page > 1)
        i = (i + 1) & (l->size - 1);
    if (!l->at[i].page)
        l->used++;
    l->at[i].prot = w.prot;
    __atomic_store_n(&l->at[i].page, w.page, __ATOMIC_RELEASE);
}

static size_t bytes_of(u32 n) { return sizeof(struct list) + n * sizeof(struct watch); }

static void grow(void)
{
    struct list *old = watched, *l;
    u32 n = old ? old->size : 0, more = n ? n * 2 : 64;
    l = heap_alloc(bytes_of(more));
    l->size = more;
    for (u32 i = 0; i < n; i++)
        if (old->at[i].page > 1)
            put(l, old->at[i]);
    __atomic_store_n(&watched, l, __ATOMIC_RELEASE);
    heap_free(old, bytes_of(n));
}

static void forget(struct watch *w) { __atomic_store_n(&w->page, 1, __ATOMIC_RELEASE); }

static void will_watch(addr_t page)
{
    __atomic_store_n(&first, MIN(first, page), __ATOMIC_SEQ_CST);
    __atomic_store_n(&last, MAX(last, page), __ATOMIC_SEQ_CST);
}

static void protect(addr_t page, u32 prot)
{
    if (find(page))
        return;
    if (!watched || (watched->used + 1) * 2 > watched->size)
        grow();
    put(watched, (struct watch){ page, prot & 7 });
    if (sys_failed(sys3(__NR_mprotect, page, PAGE_SIZE, prot & 7 & ~(u32)K_PROT_WRITE)))
        forget(find(page));
    will_watch(page);
}

static bool has_code_of(u64 inode)
{
    for (u32 i = 0; i < n_code_files; i++)
        if (code_file[i] == inode)
            return true;
    return n_code_files == MAX_FILES;
}

static void note_file(addr_t page)
{
    u64 inode = views_inode(page);
    if (inode && !has_code_of(inode))
        code_file[n_code_files++] = inode;
}

static void protect_view(addr_t page, u32 prot)
{
    if (prot & K_PROT_WRITE)
        protect(page, prot);
}

u32 smc_given_prot(addr_t page, u32 prot)
{
    struct watch *w = find(page);
    return w ? w->prot : prot;
}

void smc_turn_off(void) { is_off = true; }

/* ---- pages that the kernel may be writing ----
 * They cannot be watched: a datagram would be lost, a read fall short. Code in them is checked instead whenever it is executed. What
 * was found for a page holds for all of a translation, or a trace could be neither watched nor checked. */
enum { MOST_ASKED = 16 };
static struct { addr_t page; bool is_lent; } answer[MOST_ASKED];
static u32 n_answers;

void smc_begin(void) { n_answers = 0; }

static bool is_lent(addr_t page)
{
    for (u32 i = 0; i < n_answers; i++)
        if (answer[i].page == page)
            return answer[i].is_lent;
    if (find(page))
        return false;
    will_watch(page);
    bool is = expose_is_lent(page) || n_answers == MOST_ASKED;
    if (n_answers < MOST_ASKED) {
        answer[n_answers].page = page;
        answer[n_answers++].is_lent = is;
    }
    return is;
}

void smc_watch(addr_t page)
{
    if (UNLIKELY(is_off))
        return;
    u32 prot = mem_learn_prot(page);
    if (has_silent_writers)
        return;
    if (prot & K_PROT_WRITE && !is_lent(page))
        protect(page, prot);
    if (prot & MEM_SHARED && !cache_page_has_code(page)) {
        has_shared_code = true;
        if (!views_inode(page))
            views_change();                     /* mapped for reading, and made executable since */
        note_file(page);
        views_each(page, protect_view);
    }
}

static void retire(addr_t page, u32 prot) { cache_invalidate(page, page + PAGE_SIZE); }

static u64 n_given_back;

/* The memory may be executed at any address that it is mapped at. */
static void give_back(struct watch *w)
{
    n_given_back++;
    retire(w->page, 0);
    if (has_shared_code)
        views_each(w->page, retire);
    sys3(__NR_mprotect, w->page, PAGE_SIZE, w->prot);
    forget(w);
}

/* Every watched page in [lo, hi): by look-up or by a walk, whichever is shorter. */
static bool each_watched(addr_t lo, addr_t hi, void (*f)(struct watch *w))
{
    bool any = false;
    struct list *l = watched;
    if ((hi - lo) / PAGE_SIZE < list_size()) {
        for (addr_t page = ROUND_DOWN(lo, PAGE_SIZE); page < hi; page += PAGE_SIZE) {
            struct watch *w = find(page);
            if (w)
                f(w);
            any |= w != NULL;
        }
        return any;
    }
    for (u32 i = 0; i < list_size(); i++)
        if (l->at[i].page > 1 && l->at[i].page + PAGE_SIZE > lo && l->at[i].page < hi) {
            f(&l->at[i]);
            any = true;
        }
    return any;
}

/* The page may have been given back between the fault and now, for another thread's fault or any other reason: it is writable, and
 * the write only has to be tried again. Once for each time: a page that stays unwritable is the application's own affair. */
static bool is_late(addr_t address)
{
    static __thread addr_t last;
    static __thread u64 last_count;
    bool may_be = mem_exec_prot(address) & K_PROT_WRITE || has_shared_code;
    if (!may_be || (last == address && last_count == n_given_back))
        return false;
    last = address;
    last_count = n_given_back;
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

void smc_recover(void) { each_watched(0, ~0ull, give_back); }

bool smc_unwatch_all(void)
{
    cache_lock_take();
    bool any = each_watched(0, ~0ull, give_back);
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
    if (UNLIKELY(is_off))
        return false;
    if (UNLIKELY(has_silent_writers && prot & (K_PROT_WRITE | MEM_SHARED)))
        return true;
    if (UNLIKELY(prot & K_PROT_WRITE) && is_lent(ROUND_DOWN(at, PAGE_SIZE)))
        return true;
    return UNLIKELY(prot & MEM_SHARED) && (prot & MEM_NAMED || has_relatives);
}

bool smc_is_unwatched(addr_t at)
{
    return mem_learn_prot(at) & K_PROT_WRITE && (has_silent_writers || is_lent(ROUND_DOWN(at, PAGE_SIZE)));
}

void smc_silent_writers(void)
{
    cache_lock_take();
    if (!has_silent_writers) {
        has_silent_writers = true;
        each_watched(0, ~0ull, give_back);
        cache_flush_all();                      /* what is translated anew is checked */
    }
    cache_lock_drop();
}

/* ---- files in memory that only this process has ---- */
enum { MAX_OWN = 64 };
static u64 own_file[MAX_OWN];                   /* inodes */
static u32 n_own;

void smc_file_made(int fd)
{
    struct { u64 dev, inode; u8 rest[128]; } st;
    if (sys_failed(sys2(__NR_fstat, fd, &st)))
        return;
    cache_lock_take();
    if (n_own < MAX_OWN)
        own_file[n_own++] = st.inode;
    cache_lock_drop();
}

bool smc_is_own_file(u64 inode)
{
    for (u32 i = 0; i < n_own; i++)
        if (own_file[i] == inode)
            return true;
    return false;
}

static void meet_relatives(void)
{
    if (has_shared_code && !has_relatives)
        cache_flush_all();                      /* what is translated anew is checked */
    has_relatives = true;
}

void smc_meet_relatives(void)
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
    if (has_code_of(st.inode))
        meet_relatives();
    cache_lock_drop();
}

void smc_new_view(addr_t lo, addr_t hi)
{
    if (!has_shared_code)
        return;
    cache_lock_take();
    if (views_any_file(lo, hi, has_code_of))
        cache_flush_all();                      /* what is translated anew is watched in the new view too */
    cache_lock_drop();
}
