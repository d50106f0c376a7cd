/* codecache.c: the code cache as tools see it.
 *
 * The full-cache and trace-inserted callbacks run in the middle of a translation, under the cache lock, like instrumentation
 * callbacks; the others when no lock but the client's is held. */
#include "base/heap.h"
#include "engine/cache/cache.h"
#include "engine/cache/events.h"
#include "engine/engine.h"
#include "api/api.h"
#include "loader/rt.h"

/* ---- events ---- */
#define ADD(name, Type, kind) PIN_CALLBACK name(Type f, VOID *v) { return callback_add(kind, f, v); }
ADD(CODECACHE_AddCacheInitFunction, CODECACHE_NOARG_CALLBACK, CB_CACHE_INIT)
ADD(CODECACHE_AddCacheBlockFunction, CODECACHE_CACHEBLOCK_CALLBACK, CB_CACHE_BLOCK)
ADD(CODECACHE_AddFullCacheFunction, CODECACHE_FULL_CALLBACK, CB_CACHE_FULL)
ADD(CODECACHE_AddCacheFlushedFunction, CODECACHE_NOARG_CALLBACK, CB_CACHE_FLUSHED)
ADD(CODECACHE_AddCodeCacheEnteredFunction, CODECACHE_ENTEREXIT_CALLBACK, CB_CACHE_ENTERED)
ADD(CODECACHE_AddCodeCacheExitedFunction, CODECACHE_ENTEREXIT_CALLBACK, CB_CACHE_EXITED)
ADD(CODECACHE_AddTraceInsertedFunction, TRACE_INSTRUMENT_CALLBACK, CB_TRACE_INSERTED)
ADD(CODECACHE_AddTraceLinkedFunction, CODECACHE_LINKED_CALLBACK, CB_TRACE_LINKED)
ADD(CODECACHE_AddTraceUnlinkedFunction, CODECACHE_UNLINKED_CALLBACK, CB_TRACE_UNLINKED)
ADD(CODECACHE_AddTraceInvalidatedFunction, CODECACHE_TRACEINVALIDATED_CALLBACK, CB_TRACE_INVALIDATED)

static const enum callback_kind told_to[] = {
    [CACHE_BLOCK] = CB_CACHE_BLOCK, [CACHE_FLUSHED] = CB_CACHE_FLUSHED, [CACHE_LINKED] = CB_TRACE_LINKED,
    [CACHE_UNLINKED] = CB_TRACE_UNLINKED, [CACHE_INVALIDATED] = CB_TRACE_INVALIDATED, [CACHE_CHANGED] = CB_SMC,
};

static void one_event(struct COTTER_CALLBACK *c, enum cache_event event, u64 a, u64 b)
{
    switch (event) {
    case CACHE_BLOCK: c->cache_block((USIZE)a); break;
    case CACHE_FLUSHED: c->cache_plain(); break;
    case CACHE_LINKED: case CACHE_UNLINKED: c->cache_link(a, b); break;
    case CACHE_INVALIDATED: c->cache_invalidated(a, b, TRUE); break;
    case CACHE_CHANGED: c->smc(a, b - 1, c->val); break;
    }
}

static void cache_event(int event, u64 a, u64 b)
{
    client_lock();
    FOR_EACH_CALLBACK(c, told_to[event])
        one_event(c, (enum cache_event)event, a, b);
    client_unlock();
}

static void cache_crossed(bool enters, addr_t code)
{
    client_lock();
    FOR_EACH_CALLBACK(c, enters ? CB_CACHE_ENTERED : CB_CACHE_EXITED)
        c->cache_crossed(code);
    client_unlock();
}

/* True: the tool has made room. */
static bool cache_full(u32 body, u32 stubs)
{
    u64 before = opt->cache_limit, epoch = cache_epoch();
    code_begin(NULL);
    FOR_EACH_CALLBACK(c, CB_CACHE_FULL)
        c->cache_full(body, stubs);
    code_end();
    return cache_epoch() != epoch || opt->cache_limit != before;
}

static struct trace *inserted;                  /* while its callbacks run */

static void trace_inserted(const struct view *v, struct trace *t)
{
    inserted = t;
    code_begin(v);
    for (u32 k = 0; k < code_n_traces(); k++)
        FOR_EACH_CALLBACK(c, CB_TRACE_INSERTED)
            c->trace(code_trace(k), c->val);
    code_end();
    inserted = NULL;
}

void codecache_start(void)
{
    bool any = false;
    for (u32 e = 0; e < ARRAY_LEN(told_to); e++)
        if (callbacks[told_to[e]])
            cache_events_wanted |= 1u << e;
    for (u32 k = CB_CACHE_INIT; k <= CB_TRACE_INVALIDATED; k++)
        any |= callbacks[k] != NULL;
    hooks.cache_event = cache_event;
    if (callbacks[CB_CACHE_ENTERED] || callbacks[CB_CACHE_EXITED])
        hooks.cache_crossed = cache_crossed;
    if (callbacks[CB_CACHE_FULL])
        hooks.cache_full = cache_full;
    if (callbacks[CB_TRACE_INSERTED])
        hooks.trace_inserted = trace_inserted;
    if (any)
        code_start_instrumenting();             /* the client lock is taken before a translation only if the tool looks at it */
}

void codecache_begins(void)
{
    FOR_EACH_CALLBACK(c, CB_CACHE_INIT)
        c->cache_plain();
}

/* ---- actions ---- */
static void lock(void)
{
    if (!code_is_shown())
        cache_lock_take();
}

static void unlock(void)
{
    if (!code_is_shown())
        cache_lock_drop();
}

static void need_start(const char *function)
{
    if (!opt)
        api_fatal("%s: only when the application runs", function);
}

BOOL CODECACHE_FlushCache(VOID)
{
    PIN_RemoveInstrumentation();
    return TRUE;
}

UINT32 CODECACHE_InvalidateTraceAtProgramAddress(ADDRINT pc)
{
    lock();
    u32 n = cache_invalidate_at(pc);
    unlock();
    return n;
}

UINT32 CODECACHE_InvalidateRange(ADDRINT start, ADDRINT end)
{
    lock();
    u32 n = cache_invalidate(start, end + 1);
    unlock();
    return n;
}

BOOL CODECACHE_ChangeCacheLimit(USIZE size)
{
    need_start("CODECACHE_ChangeCacheLimit");
    if (size && size < 2 * opt->cache_block)
        return FALSE;
    opt->cache_limit = size;
    return TRUE;
}

/* All blocks are of one size, which is settled when the first is made. */
BOOL CODECACHE_ChangeBlockSize(USIZE size)
{
    enum { LEAST = 16384, MOST = 1 << 26 };
    if (opt || !rt_handoff() || size < LEAST || size > MOST)
        return FALSE;
    rt_handoff()->opt.cache_block = size;
    return TRUE;
}

BOOL CODECACHE_ChangeMaxInsPerTrace(UINT32 n)
{
    need_start("CODECACHE_ChangeMaxInsPerTrace");
    if (!n || n > 512)
        return FALSE;
    opt->max_trace_ins = n;
    return TRUE;
}

BOOL CODECACHE_ChangeMaxBblsPerTrace(UINT32 n)
{
    need_start("CODECACHE_ChangeMaxBblsPerTrace");
    if (!n || n > 64)
        return FALSE;
    opt->max_trace_bbl = n;
    return TRUE;
}

BOOL CODECACHE_CreateNewCacheBlock(USIZE size)
{
    need_start("CODECACHE_CreateNewCacheBlock");
    if (size > opt->cache_block || code_is_shown())
        return FALSE;
    lock();
    cache_new_block();
    unlock();
    return TRUE;
}

/* ---- sizes ---- */
static struct cache_sizes measure(void)
{
    struct cache_sizes s;
    lock();
    cache_measure(&s);
    unlock();
    return s;
}

UINT32 CODECACHE_CodeMemReserved(VOID) { return (UINT32)measure().reserved; }
UINT32 CODECACHE_ExitStubBytes(VOID) { return (UINT32)measure().stubs; }
UINT32 CODECACHE_NumTracesInCache(VOID) { return (UINT32)measure().traces; }
UINT32 CODECACHE_NumExitStubsInCache(VOID) { return (UINT32)measure().exits; }
UINT32 CODECACHE_CacheSizeLimit(VOID) { return opt ? (UINT32)opt->cache_limit : 0; }
UINT32 CODECACHE_BlockSize(VOID) { return opt ? (UINT32)opt->cache_block : 0; }
USIZE PIN_MemoryAllocatedForPin(VOID) { return (USIZE)(heap_used() + measure().reserved); }

UINT32 CODECACHE_CodeMemUsed(VOID)
{
    struct cache_sizes s = measure();
    return (UINT32)(s.body + s.stubs);
}

/* Objects of traces and exits; a link is a field of an exit. */
UINT32 CODECACHE_DirectoryMemUsed(VOID)
{
    struct cache_sizes s = measure();
    return (UINT32)(s.traces * sizeof(struct trace) + s.exits * sizeof(struct exit));
}

UINT32 CODECACHE_LinkBytes(VOID) { return (UINT32)(measure().links * sizeof(struct exit)); }

/* ---- places ---- */
ADDRINT CODECACHE_OriginalAddress(ADDRINT code)
{
    struct place at;
    return cache_locate(code, &at) ? at.pc : 0;
}

/* Where the code of instruction i begins in the trace; behind the last one: where its code ends. A trace may hold an address
 * more than once, so records and instructions are walked side by side. */
static u32 place_of(u32 i)
{
    struct map_reader r = map_begin(inserted);
    if (i >= code_n_insns())
        return inserted->size;
    for (u32 j = 0; j <= i; j++) {
        addr_t pc = INS_Address(code_ins(j));
        do {
            if (!map_next(&r))
                return inserted->size;
        } while (inserted->pc + (addr_t)(s64)r.last.app != pc);
    }
    return r.last.code;
}

static void need_trace(const char *function)
{
    if (!inserted || !code_is_shown())
        api_fatal("%s: only in a callback of CODECACHE_AddTraceInsertedFunction", function);
}

static addr_t code_at(const char *function, INS first)
{
    need_trace(function);
    return (addr_t)trace_code(inserted) + place_of(code_index(first));
}

static USIZE code_of(const char *function, INS first, INS last)
{
    need_trace(function);
    return place_of(code_index(last) + 1) - place_of(code_index(first));
}

static INS first_of(TRACE t) { return BBL_InsHead(TRACE_BblHead(t)); }
static INS last_of(TRACE t) { return BBL_InsTail(TRACE_BblTail(t)); }
ADDRINT TRACE_CodeCacheAddress(TRACE t) { return code_at("TRACE_CodeCacheAddress", first_of(t)); }
USIZE TRACE_CodeCacheSize(TRACE t) { return code_of("TRACE_CodeCacheSize", first_of(t), last_of(t)); }
ADDRINT BBL_CodeCacheAddress(BBL bbl) { return code_at("BBL_CodeCacheAddress", BBL_InsHead(bbl)); }
USIZE BBL_CodeCacheSize(BBL bbl) { return code_of("BBL_CodeCacheSize", BBL_InsHead(bbl), BBL_InsTail(bbl)); }
ADDRINT INS_CodeCacheAddress(INS ins) { return code_at("INS_CodeCacheAddress", ins); }
USIZE INS_CodeCacheSize(INS ins) { return code_of("INS_CodeCacheSize", ins, ins); }
