/* world.c: what generic code stands on, replaced for the test: memory, heap, options, threads, panics.
 *
 * The heap never gives an address twice and poisons what is freed, so that the address sanitizer sees every use of a
 * trace, an exit or a table after its end. */
#include "base/heap.h"
#include "base/lock.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/smc.h"
#include "engine/hooks.h"
#include "engine/stats.h"
#include "engine/thread.h"
#include "toy.h"

__thread struct thread thr_self __attribute__((aligned(64)));


int printf(const char *, ...);
int fflush(void *);
void abort(void) NORETURN;
int vprintf(const char *, va_list);
void __asan_poison_memory_region(const volatile void *, size_t) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));

struct stats stats;
struct hooks hooks;
static struct handoff_options options;
struct handoff_options *opt = &options;
struct sim sims[N_THREADS];

void toy_failed(const char *file, int line, const char *what)
{
    printf("%s:%d: not true: %s\n", file, line, what);
    fflush(NULL);
    abort();
}

void ct_panic(const char *file, int line, const char *cond, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    toy_failed(file, line, cond);
}

void ct_fatal(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    toy_failed("", 0, "no fatal error");
}

static u64 random_state = 1;
u32 toy_random(u32 below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(random_state >> 33) % below;
}

/* ---- heap: an object lies between two guards, the first of which knows its size ---- */
enum { GUARD = 32 };
struct guard { u64 size, is_live; };
static addr_t heap_next = PRIV_HEAP + 4096, heap_end = PRIV_HEAP;
static u64 n_live, live_bytes;

static void poison(void *p, size_t n)
{
    if (__asan_poison_memory_region)
        __asan_poison_memory_region(p, n);
}

static void unpoison(void *p, size_t n)
{
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(p, n);
}

static u8 *heap_more(size_t n, size_t align)
{
    enum { STEP = 1 << 24 };
    addr_t at = ROUND_UP(heap_next + GUARD, align);
    heap_next = at + ROUND_UP(n, 16ul);
    while (heap_end < heap_next + GUARD) {
        if (sys_failed(sys_mmap_fixed(heap_end, STEP, K_PROT_READ | K_PROT_WRITE)))
            toy_failed(__FILE__, __LINE__, "the private range can be mapped");
        heap_end += STEP;
    }
    return (u8 *)at;
}

static void *heap_take(size_t size, size_t align)
{
    u8 *p = heap_more(size, align);
    struct guard *g = (struct guard *)(p - GUARD);
    unpoison(g, GUARD);
    *g = (struct guard){ size, 1 };
    poison(g, GUARD);
    poison(p + size, (u8 *)heap_next + GUARD - (p + size));
    unpoison(p, size);
    n_live++;
    live_bytes += size;
    return p;
}

void *heap_alloc(size_t size) { return heap_take(size, 16); }
void *heap_pages(size_t size) { return heap_take(ROUND_UP(size, PAGE_SIZE), PAGE_SIZE); }

bool heap_is_live(const void *p, size_t size)
{
    struct guard *g = (struct guard *)((addr_t)p - GUARD);
    unpoison(g, GUARD);
    bool ok = g->is_live && g->size == size;
    poison(g, GUARD);
    return ok;
}

void heap_free(void *p, size_t size)
{
    if (!p)
        return;
    CHECK(heap_is_live(p, size));
    struct guard *g = (struct guard *)((addr_t)p - GUARD);
    unpoison(g, GUARD);
    g->is_live = 0;
    poison(g, GUARD + size);
    n_live--;
    live_bytes -= size;
}

void heap_free_pages(void *p, size_t size) { heap_free(p, ROUND_UP(size, PAGE_SIZE)); }

u64 heap_live_objects(void) { return n_live; }
u64 heap_used(void) { return live_bytes; }
void lock_take(struct lock *l) { CHECK(!l->word++); }
void lock_drop(struct lock *l) { CHECK(!--l->word); }
bool lock_died_with(const struct lock *l, u32 tid) { return false; }
void lock_inherit(struct lock *l) { }

/* ---- memory ---- */
const addr_t region_base[N_REGIONS] = { 0x100000, 0x200000000000, 0x7fff0000 };
u8 toy_text[N_REGIONS][REGION_PAGES * PAGE_SIZE];
addr_t toy_place[N_PLACES];
static bool is_gone[N_REGIONS][REGION_PAGES];

static bool find_page(addr_t at, u32 *region, u32 *page)
{
    for (*region = 0; *region < N_REGIONS; ++*region)
        if (at >= region_base[*region] && at < region_base[*region] + sizeof toy_text[0]) {
            *page = (u32)((at - region_base[*region]) / PAGE_SIZE);
            return true;
        }
    return false;
}

u8 *toy_at(addr_t pc)
{
    u32 region, page;
    if (!find_page(pc, &region, &page) || is_gone[region][page])
        return NULL;
    return &toy_text[region][pc - region_base[region]];
}

void toy_unmap(addr_t at, bool gone)
{
    u32 region, page;
    CHECK(find_page(at, &region, &page));
    is_gone[region][page] = gone;
}

addr_t mem_exec_end(addr_t at, struct fetch_fault *fault)
{
    addr_t end = at;
    while (toy_at(end))
        end = ROUND_DOWN(end, PAGE_SIZE) + PAGE_SIZE;
    *fault = (struct fetch_fault){ at, K_SIGSEGV, 1, false };
    return end == at ? 0 : end;
}

bool smc_is_foreign(addr_t at) { return false; }
bool smc_is_unwatched(addr_t at) { return false; }
bool mem_constant(addr_t at, addr_t *value) { return false; }

bool planted_over(addr_t pc, const u8 *now, u8 *original, u32 n) { return false; }

bool mem_copy_safely(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        u8 *p = toy_at((addr_t)from + i);
        if (!p)
            return false;
        ((u8 *)to)[i] = *p;
    }
    return true;
}

void smc_begin(void) { }
void smc_watch(addr_t page) { CHECK(page % PAGE_SIZE == 0 && toy_at(page)); }

/* ---- the rest ---- */
enum stats_phase stats_change(enum stats_phase to) { return to; }
bool dump_wants(addr_t pc, const struct insn *list, u32 n) { return false; }
void dump_insns(const char *stage, const struct insn *list, u32 n) { }
void dump_calls(const char *stage, const struct insn *list, u32 n) { }
void dump_code(const char *stage, struct trace *t, u32 serial) { }

u64 thr_oldest_epoch(void)
{
    u64 oldest = ~0ull;
    for (u32 i = 0; i < N_THREADS; i++)
        if (sims[i].epoch && sims[i].epoch < oldest)
            oldest = sims[i].epoch;
    return oldest;
}

u8 *toy_put(u8 *p, const u8 *bytes, size_t n)
{
    memcpy(p, bytes, n);
    return p + n;
}

struct trace *toy_get(addr_t pc)
{
    struct fetch_fault fault;
    struct trace *t = jit_get(pc, 0, ENTRY_JUMP, NULL, &fault);
    CHECK(t && t->pc == pc);
    return t;
}

static void forget_world(void)
{
    memset(sims, 0, sizeof sims);
    memset(toy_text, OP_BAD, sizeof toy_text);
    memset(is_gone, 0, sizeof is_gone);
    for (u32 i = 0; i < N_PLACES; i++)
        toy_place[i] = region_base[0];
    toy_follows_calls = false;
    hooks.instrument = NULL;
}

void toy_reset(void)
{
    static bool is_ready;
    u64 block = options.cache_block;
    options = (struct handoff_options){ .max_trace_ins = 64, .max_trace_bbl = 4, .trace_to = ~0ull };
    options.cache_block = block;
    forget_world();
    if (!is_ready) {
        cache_init();
        is_ready = true;
    }
    cache_flush_all();
    cache_reclaim();
    check_invariants();
}

/* There is no tool. */
size_t hook_fetch(void *to, addr_t at, size_t n) { return 0; }
bool hook_cache_full(u32 body, u32 stubs) { return false; }
void hook_trace_inserted(const struct view *v, struct trace *t) { }

/* Nor a log. */
bool log_is_on(void) { return false; }
void log_event_line(const char *fmt, ...) { }

bool thr_alone(void) { return N_THREADS == 1; }
