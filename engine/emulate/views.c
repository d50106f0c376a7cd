/* views.c: see views.h. The list is the kernel's, read when it is asked for after a change: a program that maps its code twice
 * writes to it more often than it maps.
 *
 *  (1) Sorted by address, with the protection that the application gave, whatever smc.c made of it.
 *  (2) Guarded by the cache lock, but for `is_old`. A vfork child that is killed while it has that leaves a list that is old or
 *      has ended too early; so it is read anew then (views_change). */
#include "engine/emulate/views.h"
#include "base/heap.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/memory_int.h"
#include "engine/emulate/smc.h"

struct view { addr_t lo, hi; u32 prot; struct file_place at; };
static struct view *list;
static u32 n_views, max_views;
static bool is_old = true;

static bool continues(const struct view *v, const struct view *next)
{
    return v->hi == next->lo && v->prot == next->prot && v->at.inode == next->at.inode && v->at.dev_major == next->at.dev_major &&
           v->at.dev_minor == next->at.dev_minor && v->at.offset + (v->hi - v->lo) == next->at.offset;
}

static void add_view(struct view v)
{
    if (n_views && continues(&list[n_views - 1], &v)) {
        list[n_views - 1].hi = v.hi;
        return;
    }
    if (n_views == max_views) {
        u32 more = max_views ? max_views * 2 : 64;
        struct view *bigger = heap_alloc(more * sizeof *bigger), *old = list;
        memcpy(bigger, old, n_views * sizeof *bigger);
        list = bigger;
        heap_free(old, max_views * sizeof *old);
        max_views = more;
    }
    list[n_views++] = v;
}

/* A page that may not be written may be one that smc.c watches. */
static bool take_line(const char *line, void *unused)
{
    struct view v;
    u64 lo, hi;
    const char *perms = mem_parse_mapping(line, &lo, &hi, &v.at);
    if (!perms || perms[3] != 's' || !v.at.inode || mem_is_private(lo, hi))
        return false;
    v.prot = mem_prot_of(perms);
    if (v.prot & K_PROT_WRITE || !smc_is_watching()) {
        v.lo = lo, v.hi = hi;
        add_view(v);
        return false;
    }
    for (u64 offset = v.at.offset, page = lo; page < hi; page += PAGE_SIZE) {
        v.at.offset = offset + (page - lo);
        v.lo = page, v.hi = page + PAGE_SIZE;
        v.prot = smc_given_prot(page, mem_prot_of(perms));
        add_view(v);
    }
    return false;
}

static void learn(void)
{
    if (LIKELY(!__atomic_exchange_n(&is_old, false, __ATOMIC_ACQ_REL)))
        return;
    n_views = 0;
    mem_each_mapping(take_line, NULL);
}

/* The first view that ends behind `at`; n_views: there is none. */
static u32 find(addr_t at)
{
    u32 lo = 0, hi = n_views;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (list[mid].hi <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static const struct view *view_at(addr_t at)
{
    learn();
    u32 i = find(at);
    return i < n_views && list[i].lo <= at ? &list[i] : NULL;
}

u64 views_inode(addr_t at)
{
    const struct view *v = view_at(at);
    return v ? v->at.inode : 0;
}

void views_each(addr_t page, void (*f)(addr_t view, u32 prot))
{
    const struct view *v = view_at(page);
    if (!v)
        return;
    u64 offset = v->at.offset + (page - v->lo);
    for (u32 i = 0; i < n_views; i++) {
        const struct view *o = &list[i];
        if (o->at.inode == v->at.inode && o->at.dev_major == v->at.dev_major && o->at.dev_minor == v->at.dev_minor &&
            offset >= o->at.offset && offset < o->at.offset + (o->hi - o->lo))
            f(o->lo + (offset - o->at.offset), o->prot);
    }
}

bool views_any_file(addr_t lo, addr_t hi, bool (*f)(u64 inode))
{
    learn();
    for (u32 i = find(lo); i < n_views && list[i].lo < hi; i++)
        if (f(list[i].at.inode))
            return true;
    return false;
}

void views_change(void) { __atomic_store_n(&is_old, true, __ATOMIC_RELEASE); }

static bool is_any(u64 inode) { return true; }

bool views_are_in(addr_t lo, addr_t hi)
{
    cache_lock_take();
    bool are = views_any_file(lo, hi, is_any);
    cache_lock_drop();
    return are;
}

void views_change_in(addr_t lo, addr_t hi)
{
    if (__atomic_load_n(&is_old, __ATOMIC_ACQUIRE))
        return;
    if (views_are_in(lo, hi))
        views_change();
}
