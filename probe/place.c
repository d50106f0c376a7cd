/* place.c: probes: made, placed, led elsewhere, removed.
 *
 *  (1) `table` and what the probes hold is guarded by probe_lock.
 *  (2) A placed probe's jump leads to its slot, the slot where its word says; the word changes by one store.
 *  (3) A jump is one instruction: when it is removed, nobody is in its middle, so only placing needs threads at rest, and
 *      only if more than one instruction gives way.
 *  (4) Copies and slots are never freed: threads inside come out by themselves, at any time. */
#include "base/heap.h"
#include "base/str.h"
#include "base/sys.h"
#include "probe/probe_int.h"

enum { BUCKETS = 4096 };

struct lock probe_lock;
static struct probe *table[BUCKETS];

static struct probe **bucket(addr_t at) { return &table[(at ^ at >> 12) % BUCKETS]; }

static struct probe *find(addr_t at)
{
    struct probe *p = *bucket(at);
    while (p && p->plan.at != at)
        p = p->next;
    return p;
}

struct probe *probe_find(addr_t at)
{
    lock_take_early(&probe_lock);
    struct probe *p = find(at);
    lock_drop_early(&probe_lock);
    return p;
}

const void *probe_original(const struct probe *p) { return p->copy; }
addr_t probe_address(const struct probe *p) { return p->plan.at; }
bool probe_is_placed(const struct probe *p) { return p->is_placed; }

/* ---- making ---- */
static bool overlaps(addr_t at, u32 span)
{
    for (addr_t a = at > 32 ? at - 32 : 0; a < at + span; a++) {
        struct probe *p = find(a);
        if (p && p->is_placed && a + MAX(p->plan.span, (u32)ARCH_PROBE_JUMP) > at)
            return true;
    }
    return false;
}

static void free_probe(struct probe *p)
{
    heap_free(p->place, p->plan.n_insns * sizeof *p->place);
    heap_free(p->len, p->plan.n_insns);
    heap_free(p, sizeof *p);
}

static enum probe_reason build(struct probe *p, size_t room)
{
    p->slot = space_near(p->plan.at, ARCH_PROBE_SLOT);
    if (!p->slot)
        return PROBE_NO_NEAR_MEMORY;
    enum probe_reason r = relocate(p, room);
    if (r)
        return r;
    p->word = arch_probe_slot(p->slot, (u64)p->copy);
    memcpy(p->old, (void *)p->plan.at, sizeof p->old);
    return arch_probe_jump(p->jump, p->plan.at, (addr_t)p->slot) ? PROBE_OK : PROBE_NO_NEAR_MEMORY;
}

static enum probe_reason make(const struct probe_site *s, struct probe **out)
{
    struct probe_plan plan;
    enum probe_reason r = overlaps(s->at, ARCH_PROBE_JUMP) ? PROBE_TAKEN : probe_plan(s, &plan);
    if (r)
        return r;
    struct probe *p = heap_alloc(sizeof *p);
    p->plan = plan;
    r = build(p, MAX(s->room, s->size));
    if (r) {
        if (p->place)
            free_probe(p);
        return r;
    }
    p->next = *bucket(s->at);
    *bucket(s->at) = p;
    *out = p;
    return PROBE_OK;
}

enum probe_reason probe_make(const struct probe_site *s, struct probe **out)
{
    lock_take_early(&probe_lock);
    struct probe *p = find(s->at);
    enum probe_reason r = p ? PROBE_OK : make(s, &p);
    *out = p;
    lock_drop_early(&probe_lock);
    return r;
}

/* ---- writing ---- */
struct write { struct probe *p; const u8 *bytes; bool others_run; };

/* The page of `at`: what it was, in *m. */
static bool open_page(addr_t at, struct mapping *m)
{
    addr_t page = ROUND_DOWN(at, PAGE_SIZE);
    if (!space_find(at, m))
        return false;
    return m->prot & K_PROT_WRITE || !sys_failed(sys3(__NR_mprotect, page, PAGE_SIZE, m->prot | K_PROT_WRITE));
}

static void close_page(addr_t at, const struct mapping *m)
{
    if (!(m->prot & K_PROT_WRITE))
        sys3(__NR_mprotect, ROUND_DOWN(at, PAGE_SIZE), PAGE_SIZE, m->prot);
}

static bool write_bytes(void *arg)
{
    struct write *w = arg;
    struct mapping first, second;
    addr_t lo = w->p->plan.at, last = lo + ARCH_PROBE_JUMP - 1;
    if (!open_page(lo, &first))
        return false;
    bool is_open = open_page(last, &second);
    bool ok = is_open && arch_probe_write(lo, w->bytes, ARCH_PROBE_JUMP, w->others_run);
    if (is_open && last / PAGE_SIZE != lo / PAGE_SIZE)
        close_page(last, &second);
    close_page(lo, &first);
    return ok;
}

/* With nobody in the middle. Where running threads are in the way all the same, they are stopped. */
static enum probe_reason write_safely(struct probe *p, const u8 *bytes, bool is_alone)
{
    struct write w = { p, bytes, !is_alone };
    if (write_bytes(&w))
        return PROBE_OK;
    w.others_run = false;
    return is_alone ? PROBE_CANNOT_WRITE : stop_and(p, write_bytes, &w);
}

static enum probe_reason place(struct probe *p, bool is_quiet)
{
    struct write w = { p, p->jump, false };
    if (is_quiet || p->plan.is_single)
        return write_safely(p, p->jump, is_quiet || stop_is_alone());
    if (p->plan.is_whole)               /* threads inside would go on in the original, and branch into the jump */
        return PROBE_BRANCH_INSIDE;
    return stop_and(p, write_bytes, &w);
}

enum probe_reason probe_place(struct probe *p, const void *to, bool is_quiet)
{
    enum probe_reason r = PROBE_OK;
    lock_take_early(&probe_lock);
    if (p->is_placed || overlaps(p->plan.at, ARCH_PROBE_JUMP)) {
        r = PROBE_TAKEN;
    } else {
        __atomic_store_n(p->word, (u64)to, __ATOMIC_RELEASE);
        r = place(p, is_quiet);
        p->is_placed = r == PROBE_OK;
    }
    lock_drop_early(&probe_lock);
    return r;
}

void probe_retarget(struct probe *p, const void *to) { __atomic_store_n(p->word, (u64)to, __ATOMIC_RELEASE); }

enum probe_reason probe_remove(struct probe *p)
{
    enum probe_reason r = PROBE_OK;
    lock_take_early(&probe_lock);
    if (p->is_placed) {
        __atomic_store_n(p->word, (u64)p->copy, __ATOMIC_RELEASE);
        r = write_safely(p, p->old, stop_is_alone());
        p->is_placed = r != PROBE_OK;
    }
    lock_drop_early(&probe_lock);
    return r;
}

void probe_forked(void) { lock_reset(&probe_lock); }

void probe_forget(addr_t lo, addr_t hi)
{
    lock_take_early(&probe_lock);
    for (u32 i = 0; i < BUCKETS; i++)
        for (struct probe **at = &table[i], *p; (p = *at);) {
            if (p->plan.at < lo || p->plan.at >= hi) {
                at = &p->next;
                continue;
            }
            *at = p->next;
            free_probe(p);
        }
    lock_drop_early(&probe_lock);
}
