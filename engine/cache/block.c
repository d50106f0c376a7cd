/* block.c: the memory of the code cache. A block holds bodies from below and stubs with constants from above, so that
 * hot code lies dense and falls through.
 *  (1) All blocks have the size that was asked for at start, so an address finds its block by division.
 *  (2) The trace list of a block has a fixed place and only grows: the signal handler may read it at any time. */
#include "base/heap.h"
#include "base/panic.h"
#include "base/reserve.h"
#include "base/sys.h"
#include "engine/cache/cache_int.h"
#include "engine/cache/events.h"
#include "engine/engine.h"
#include "engine/hooks.h"

enum { MIN_TRACE = 8 };             /* bytes; no body with its exits is smaller */

static struct block **table;        /* by (address - PRIV_CACHE) / size */
static u32 n_table, n_mapped;
static struct block *current, *retired, *spare;
static u64 n_in_use;

static u64 block_size(void) { return opt->cache_block; }

void cache_init(void)
{
    opt->cache_block = ROUND_UP(opt->cache_block, PAGE_SIZE);
    n_table = (u32)((PRIV_CACHE_END - PRIV_CACHE) / block_size());
    table = heap_pages(n_table * sizeof *table);
}

bool cache_holds(addr_t a) { return a >= PRIV_CACHE && a < PRIV_CACHE_END; }

struct block *block_of(addr_t code)
{
    return cache_holds(code) ? table[(code - PRIV_CACHE) / block_size()] : NULL;
}

struct block *block_current(void) { return current; }

/* A large cache is spread over more pages than the CPU's instruction TLB holds: each 2 MB are made one huge page when they are full,
 * so that nothing is taken that is not used. It takes half a millisecond, so the first wait for the second: short programs end before.
 * Older kernels cannot do that; they give huge pages from the second one on. */
static void ask_huge(addr_t at)
{
    enum { HUGE = 2 << 20 };
    static bool cannot_collapse;
    addr_t from = at == PRIV_CACHE + 2 * HUGE ? PRIV_CACHE : at - HUGE;
    if (at < PRIV_CACHE + 2 * HUGE)
        return;
    sys3(__NR_madvise, from, at - from, K_MADV_HUGEPAGE);
    if (sys_failed(sys3(__NR_madvise, from, at - from, K_MADV_COLLAPSE)))
        cannot_collapse = true;
    if (cannot_collapse)
        sys3(__NR_madvise, at, HUGE, K_MADV_HUGEPAGE);
}

/* The cache is mapped in larger steps than blocks, so that a huge page is one mapping. */
static void map_up_to(addr_t end)
{
    enum { STEP = 2 << 20 };
    static addr_t mapped = PRIV_CACHE;
    while (mapped < end) {
        long r = reserve_map(mapped, STEP, K_PROT_READ | K_PROT_WRITE | K_PROT_EXEC);
        if (r == -E_NOMEM)
            ct_fatal("no memory for the code cache: is there a limit (ulimit -v, ulimit -d)?");
        if (sys_failed(r) && r != -E_EXIST)       /* it is there: a vfork child was killed right after it had mapped it */
            ct_fatal("cannot map executable memory for the code cache (error %ld): does a security policy forbid it?", -r);
        ask_huge(mapped);
        mapped += STEP;
    }
}

static struct block *map_block(void)
{
    if (n_mapped == n_table)
        ct_fatal("the code cache is full (%lu MB): give --cache-limit so that it is flushed in time",
                 (unsigned long)((PRIV_CACHE_END - PRIV_CACHE) >> 20));
    addr_t at = PRIV_CACHE + n_mapped * block_size();
    map_up_to(at + block_size());
    struct block *b = heap_alloc(sizeof *b);
    b->base = (u8 *)at;
    b->end = b->base + block_size();
    b->touched_lo = b->base;
    b->touched_hi = b->end;
    b->max_traces = (u32)(block_size() / MIN_TRACE);
    b->traces = heap_pages(b->max_traces * sizeof *b->traces);
    __atomic_store_n(&table[n_mapped], b, __ATOMIC_RELEASE);
    n_mapped++;
    return b;
}

struct block *block_new(void)
{
    struct block *b = spare;
    if (b)
        spare = b->next_retired;
    else
        b = map_block();
    b->body = b->base;
    b->stub = b->end;
    b->n_traces = b->n_live = 0;
    b->pieces = 0;
    b->way_out = (struct way_out){ 0 };
    b->retired = 0;
    b->next_retired = NULL;
    n_in_use++;
    cache_note(CACHE_BLOCK, block_size(), 0);
    struct block *old = current;
    current = b;
    if (old && !old->n_live)
        block_retire(old);
    else if (old)
        block_thin_out(old);
    return b;
}

void block_retire(struct block *b)
{
    if (b->retired)
        return;
    b->retired = cache_now;
    b->next_retired = retired;
    retired = b;
    n_in_use--;
    if (b == current)
        current = NULL;
}

void block_retire_all(void)
{
    for (u32 i = 0; i < n_table && table[i]; i++)
        if (!table[i]->retired && table[i]->body)
            block_retire(table[i]);
}

void block_retire_again(void)
{
    retired = spare = current = NULL;
    n_in_use = 0;
    for (n_mapped = 0; n_mapped < n_table && table[n_mapped]; n_mapped++) {
        struct block *b = table[n_mapped];
        b->retired = cache_now;
        b->next_retired = retired;
        retired = b;
    }
}

/* ---- trace objects ---- */
static void more_objects(struct block *b, size_t need)
{
    enum { CHUNK = 8192 };
    size_t size = MAX((size_t)CHUNK, need + sizeof(struct chunk));
    struct chunk *c = heap_alloc(size);
    *c = (struct chunk){ b->chunks, size };
    __atomic_store_n(&b->chunks, c, __ATOMIC_RELEASE);
    b->object = (u8 *)(c + 1);
    b->objects_end = (u8 *)c + size;
}

static void free_objects(struct block *b)
{
    for (struct chunk *c; (c = b->chunks);) {
        __atomic_store_n(&b->chunks, c->next, __ATOMIC_RELEASE);      /* first: nobody is to free it again (cache_recover) */
        heap_free(c, c->size);
    }
    b->object = b->objects_end = NULL;
}

struct trace *cache_new_trace(u32 n_pages, u32 n_exits, bool has_annex, u32 room)
{
    struct block *b = current;
    size_t pages = nodes_size(n_pages), fixed = sizeof(struct trace) + n_exits * sizeof(struct exit) + (has_annex ? annex_size(n_exits) : 0);
    if (b->object + pages + 8 + fixed + room > b->objects_end)
        more_objects(b, pages + 8 + fixed + room);
    struct trace *t = (struct trace *)ROUND_UP((addr_t)b->object + pages, 8);
    memset((u8 *)t - pages, 0, pages + fixed);
    t->n_pages = n_pages;
    t->n_exits = n_exits;
    t->has_annex = has_annex;
    for (u32 i = 0; i < n_exits; i++)
        trace_exits(t)[i].index = (u16)i;
    return t;
}

/* Blocks retired before the oldest thread entered the cache. They keep `retired` set until they are used again. */
bool block_any_retired(void) { return retired != NULL; }

void block_reclaim(u64 oldest, void (*free_trace)(struct trace *t))
{
    for (struct block **p = &retired; *p;) {
        struct block *b = *p;
        if (b->retired >= oldest) {
            p = &b->next_retired;
            continue;
        }
        *p = b->next_retired;
        arch_code_goes((addr_t)b->base, (addr_t)b->end);
        u32 n = b->n_traces;
        __atomic_store_n(&b->n_traces, 0, __ATOMIC_RELEASE);
        for (u32 i = 0; i < n; i++)
            free_trace(ref_ptr(b->traces[i]));
        free_objects(b);
        arch_fill(b->base, b->end - b->base);
        b->next_retired = spare;
        spare = b;
    }
}

void block_for_each(void (*f)(struct block *, void *), void *arg)
{
    for (u32 i = 0; i < n_table && table[i]; i++)
        f(table[i], arg);
}

/* Would one more block exceed the limit? Retired blocks that wait for a thread to leave do not count: they cannot be
 * helped. */
static bool is_over_limit(void)
{
    return opt->cache_limit && n_in_use && (n_in_use + 1) * block_size() > opt->cache_limit;
}

/* Fresh pages by the dozen: one call is cheaper than a fault for each. */
static void touch_ahead(struct block *b)
{
    enum { AHEAD = 64 * 1024 };
    if (b->body + PAGE_SIZE > b->touched_lo && b->touched_lo < b->touched_hi) {
        size_t n = MIN((size_t)AHEAD, (size_t)(b->touched_hi - b->touched_lo));
        sys3(__NR_madvise, b->touched_lo, n, K_MADV_POPULATE_WRITE);
        b->touched_lo += n;
    }
    if (b->stub - PAGE_SIZE < b->touched_hi && b->touched_lo < b->touched_hi) {
        size_t n = MIN((size_t)AHEAD / 2, (size_t)(b->touched_hi - b->touched_lo));
        b->touched_hi -= n;
        sys3(__NR_madvise, b->touched_hi, n, K_MADV_POPULATE_WRITE);
    }
}

void cache_begin(struct emit *e, u32 need)
{
    if (need > block_size())
        ct_fatal("a trace needs %u bytes: raise --cache-block", need);
    if (!current || (u64)(current->stub - current->body) < need) {
        if (is_over_limit() && (!hook_cache_full(need, arch_info.stub_len) || is_over_limit()))
            cache_flush_all();
        block_new();
    }
    touch_ahead(current);
    *e = (struct emit){ .p = current->body, .end = current->stub, .stub = current->stub, .way_out = current->way_out, .next_end = ~0u };
}

void cache_new_block(void) { block_new(); }

void cache_commit(struct emit *e, struct trace *t, bool is_once)
{
    struct block *b = current;
    ct_assert(b->n_traces < b->max_traces, "a block of %lu bytes holds too many traces", (unsigned long)block_size());
    b->body = e->p;
    b->stub = e->stub;
    b->way_out = e->way_out;
    b->object = trace_map(t) + t->map_size;
    b->traces[b->n_traces] = ptr_ref(t);
    __atomic_store_n(&b->n_traces, b->n_traces + 1, __ATOMIC_RELEASE);
    if (is_once) {
        mark_retired(t);
        return;
    }
    b->n_live++;
    dir_add(t);
    pages_add(t);
    changed_check(t);
}

/* The last trace of the block that starts at or before `code`. */
static struct trace *trace_before(struct block *b, u32 code)
{
    u32 lo = 0, hi = __atomic_load_n(&b->n_traces, __ATOMIC_ACQUIRE);
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        struct trace *t = ref_ptr(b->traces[mid]);
        if (t->code - t->prefix <= code)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? ref_ptr(b->traces[lo - 1]) : NULL;
}

bool cache_locate(addr_t code, struct place *out)
{
    struct block *b = block_of(code);
    if (!b)
        return false;
    u32 offset = cache_offset((u8 *)code);
    struct trace *t = trace_before(b, offset);
    if (!t || offset >= t->code + t->size)
        return false;
    if (offset < t->code) {                     /* in the prefix */
        *out = (struct place){ t, t->pc, 0, 0, false, 0 };
        return true;
    }
    struct map_entry m;
    u32 n = 0, at = offset - t->code, parked = 0;
    for (struct map_reader r = map_begin(t); map_next(&r) && r.last.code <= at; n++) {
        m = r.last;
        parked = r.parked;
    }
    if (n && m.is_run)
        *out = (struct place){ t, t->pc + (addr_t)(s64)m.app + (at - m.code), m.restore, parked, true, n - 1 };
    else if (n)
        *out = (struct place){ t, t->pc + (addr_t)(s64)m.app, m.restore, parked, m.code == at && !(m.restore & MAP_NOT_A_START), n - 1 };
    return n != 0;
}

u8 *cache_piece(u32 size)
{
    if (!current || current->stub - current->body < size + 256)
        return NULL;
    current->stub -= size;
    current->pieces += size;
    current->n_live++;
    return current->stub;
}

void cache_piece_release(u8 *code)
{
    struct block *b = block_of((addr_t)code);
    if (!b->retired && !--b->n_live && b != current)
        block_retire(b);
}

struct measure { struct cache_sizes *s; };
static void measure_block(struct block *b, void *arg)
{
    struct cache_sizes *s = arg;
    if (b->retired)
        return;
    s->blocks++;
    s->reserved += b->end - b->base;
    s->body += b->body - b->base;
    s->stubs += (u64)(b->end - b->stub) - b->pieces;
    s->pieces += b->pieces;
    for (u32 i = 0; i < b->n_traces; i++) {
        struct trace *t = ref_ptr(b->traces[i]);
        if (t->is_retired)
            continue;
        s->traces++;
        s->app += t->app_bytes;
        s->prefixes += t->prefix;
        s->exits += t->n_exits;
        for (u32 k = 0; k < t->n_exits; k++)
            s->links += exit_is_linked(&trace_exits(t)[k]);
    }
}

void cache_measure(struct cache_sizes *out)
{
    *out = (struct cache_sizes){ 0 };
    block_for_each(measure_block, out);
}
