/* alloc.c: see alloc.h. Each replacement gets the function's arguments and the stack pointer, for the stack of calls. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "errors.h"
#include "alloc.h"
#include <errno.h>

struct alloc_sums alloc_sums;

/* ---- what they all do ---- */
static ADDRINT make(size_t size, size_t alignment, enum chunk_kind kind, ADDRINT sp)
{
    const struct callstack *stack = callstack_here(0, sp);
    if ((INT64)size < 0)
        errors_add(ERROR_SIZE, stack, 0, size, NULL, kind == KIND_MALLOC ? "malloc" : "new");
    arena_lock();
    struct chunk *c = arena_new(size, alignment);
    if (c) {
        c->kind = (UINT8)kind;
        c->made = stack;
        c->thread = thread_me ? thread_me->number : 0;
        alloc_sums.made++;
        alloc_sums.bytes += size;
        alloc_sums.live_bytes += size;
        if (alloc_sums.live_bytes > alloc_sums.peak_bytes)
            alloc_sums.peak_bytes = alloc_sums.live_bytes;
    }
    arena_unlock();
    return c ? c->at : 0;
}

/* A block that the program made before Cotter was attached: it is left alone, for ever. */
static bool is_older(ADDRINT p) { return PIN_IsAttaching() && !arena_has(p); }

/* glibc keeps a block's size in front of it, with three flags. */
static size_t older_size(ADDRINT p)
{
    size_t size = 0;
    PIN_SafeCopy(&size, (VOID *)(p - sizeof size), sizeof size);
    return (size & ~7ul) > sizeof size ? (size & ~7ul) - sizeof size : 0;
}

/* The live block that begins at p, if it may be ended this way; else what is wrong is noted. Under the heap's lock. */
static struct chunk *find(ADDRINT p, enum chunk_kind kind, const struct callstack *stack, const char *by)
{
    struct chunk *c = arena_has(p) ? arena_exact(p) : NULL;
    if (!c)
        errors_add(ERROR_BAD_FREE, stack, p, 0, arena_has(p) ? arena_near(p) : NULL, by);
    else if (c->life == LIFE_FREED)
        errors_add(ERROR_DOUBLE_FREE, stack, p, 0, c, by);
    else if (c->kind != kind)
        errors_add(ERROR_MISMATCH, stack, p, 0, c, by);
    return c && c->life == LIFE_LIVE ? c : NULL;
}

static VOID end(struct chunk *c, const struct callstack *stack)
{
    alloc_sums.freed++;
    alloc_sums.live_bytes -= c->size;
    c->freed = stack;
    arena_free(c);
}

static VOID release(ADDRINT p, enum chunk_kind kind, ADDRINT sp, const char *by)
{
    if (!p || is_older(p))
        return;
    const struct callstack *stack = callstack_here(0, sp);
    arena_lock();
    struct chunk *c = find(p, kind, stack, by);
    if (c)
        end(c, stack);
    arena_unlock();
}

/* ---- C ---- */
static ADDRINT do_malloc(size_t size, ADDRINT sp) { return make(size, GUARD, KIND_MALLOC, sp); }
static VOID do_free(ADDRINT p, ADDRINT sp) { release(p, KIND_MALLOC, sp, "free"); }

static ADDRINT do_calloc(size_t n, size_t size, ADDRINT sp)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all))
        return 0;
    ADDRINT p = make(all, GUARD, KIND_MALLOC, sp);
    if (p) {
        memset((VOID *)p, 0, all);
        arena_mark(p, all, BYTE_FINE);
    }
    return p;
}

static ADDRINT do_realloc(ADDRINT p, size_t size, ADDRINT sp)
{
    if (!p)
        return make(size, GUARD, KIND_MALLOC, sp);
    if (!size) {
        release(p, KIND_MALLOC, sp, "realloc");
        return 0;
    }
    if (is_older(p)) {
        ADDRINT q = make(size, GUARD, KIND_MALLOC, sp);
        size_t had = older_size(p), n = had < size ? had : size;
        if (q && PIN_SafeCopy((VOID *)q, (VOID *)p, n) == n)
            arena_mark(q, n, BYTE_FINE);
        return q;
    }
    const struct callstack *stack = callstack_here(0, sp);
    arena_lock();
    struct chunk *c = find(p, KIND_MALLOC, stack, "realloc");
    size_t old = c ? c->size : 0;
    arena_unlock();
    if (!c)
        return 0;
    ADDRINT q = make(size, GUARD, KIND_MALLOC, sp);
    if (!q)
        return 0;
    size_t keep = old < size ? old : size;
    memcpy((VOID *)q, (VOID *)p, keep);
    memcpy(arena_state(q), arena_state(p), keep);
    arena_lock();
    end(c, stack);
    arena_unlock();
    return q;
}

static ADDRINT do_reallocarray(ADDRINT p, size_t n, size_t size, ADDRINT sp)
{
    size_t all;
    return __builtin_mul_overflow(n, size, &all) ? 0 : do_realloc(p, all, sp);
}

static size_t sane(size_t alignment)
{
    size_t a = GUARD;
    while (a < alignment && a < HEAP_SIZE / 4)
        a *= 2;
    return a;
}

static ADDRINT do_memalign(size_t alignment, size_t size, ADDRINT sp) { return make(size, sane(alignment), KIND_MALLOC, sp); }
static ADDRINT do_valloc(size_t size, ADDRINT sp) { return make(size, PAGE, KIND_MALLOC, sp); }
static ADDRINT do_pvalloc(size_t size, ADDRINT sp) { return make((size + PAGE - 1) & ~(size_t)(PAGE - 1), PAGE, KIND_MALLOC, sp); }

static int do_posix_memalign(ADDRINT *to, size_t alignment, size_t size, ADDRINT sp)
{
    if (alignment % sizeof(VOID *) || (alignment & (alignment - 1)) || !alignment)
        return EINVAL;
    ADDRINT p = make(size, sane(alignment), KIND_MALLOC, sp);
    if (!p)
        return ENOMEM;
    PIN_SafeCopy(to, &p, sizeof p);
    if (arena_has((ADDRINT)to))
        arena_mark((ADDRINT)to, sizeof p, BYTE_FINE);
    return 0;
}

static size_t do_usable_size(ADDRINT p, ADDRINT sp)
{
    arena_lock();
    struct chunk *c = arena_has(p) ? arena_exact(p) : NULL;
    size_t size = c ? c->size : 0;
    arena_unlock();
    return size;
}

/* ---- C++: what cannot be had ends the program, as nothing can be thrown from here ---- */
static ADDRINT must(ADDRINT p, size_t size)
{
    if (p)
        return p;
    fprintf(stderr, "heapcheck: operator new(%zu) would throw std::bad_alloc; the program ends here\n", size);
    PIN_ExitApplication(134);
}

static ADDRINT do_new(size_t n, ADDRINT sp) { return must(make(n, GUARD, KIND_NEW, sp), n); }
static ADDRINT do_new_array(size_t n, ADDRINT sp) { return must(make(n, GUARD, KIND_NEW_ARRAY, sp), n); }
static ADDRINT do_try_new(size_t n, ADDRINT sp) { return make(n, GUARD, KIND_NEW, sp); }
static ADDRINT do_try_new_array(size_t n, ADDRINT sp) { return make(n, GUARD, KIND_NEW_ARRAY, sp); }
static ADDRINT do_new_aligned(size_t n, size_t a, ADDRINT sp) { return must(make(n, sane(a), KIND_NEW, sp), n); }
static ADDRINT do_new_array_aligned(size_t n, size_t a, ADDRINT sp) { return must(make(n, sane(a), KIND_NEW_ARRAY, sp), n); }
static VOID do_delete(ADDRINT p, ADDRINT sp) { release(p, KIND_NEW, sp, "delete"); }
static VOID do_delete_array(ADDRINT p, ADDRINT sp) { release(p, KIND_NEW_ARRAY, sp, "delete[]"); }

/* ---- who is replaced by whom ---- */
static const struct { const char *name; AFUNPTR by; int n_args; } functions[] = {
    { "malloc", AFUNPTR(do_malloc), 1 },
    { "free", AFUNPTR(do_free), 1 },
    { "cfree", AFUNPTR(do_free), 1 },
    { "calloc", AFUNPTR(do_calloc), 2 },
    { "realloc", AFUNPTR(do_realloc), 2 },
    { "reallocarray", AFUNPTR(do_reallocarray), 3 },
    { "memalign", AFUNPTR(do_memalign), 2 },
    { "aligned_alloc", AFUNPTR(do_memalign), 2 },
    { "posix_memalign", AFUNPTR(do_posix_memalign), 3 },
    { "valloc", AFUNPTR(do_valloc), 1 },
    { "pvalloc", AFUNPTR(do_pvalloc), 1 },
    { "malloc_usable_size", AFUNPTR(do_usable_size), 1 },
    { "_Znwm", AFUNPTR(do_new), 1 },
    { "_Znam", AFUNPTR(do_new_array), 1 },
    { "_ZnwmRKSt9nothrow_t", AFUNPTR(do_try_new), 1 },
    { "_ZnamRKSt9nothrow_t", AFUNPTR(do_try_new_array), 1 },
    { "_ZnwmSt11align_val_t", AFUNPTR(do_new_aligned), 2 },
    { "_ZnamSt11align_val_t", AFUNPTR(do_new_array_aligned), 2 },
    { "_ZnwmSt11align_val_tRKSt9nothrow_t", AFUNPTR(do_new_aligned), 2 },
    { "_ZnamSt11align_val_tRKSt9nothrow_t", AFUNPTR(do_new_array_aligned), 2 },
    { "_ZdlPv", AFUNPTR(do_delete), 1 },
    { "_ZdlPvm", AFUNPTR(do_delete), 1 },
    { "_ZdlPvRKSt9nothrow_t", AFUNPTR(do_delete), 1 },
    { "_ZdlPvSt11align_val_t", AFUNPTR(do_delete), 1 },
    { "_ZdlPvmSt11align_val_t", AFUNPTR(do_delete), 1 },
    { "_ZdaPv", AFUNPTR(do_delete_array), 1 },
    { "_ZdaPvm", AFUNPTR(do_delete_array), 1 },
    { "_ZdaPvRKSt9nothrow_t", AFUNPTR(do_delete_array), 1 },
    { "_ZdaPvSt11align_val_t", AFUNPTR(do_delete_array), 1 },
    { "_ZdaPvmSt11align_val_t", AFUNPTR(do_delete_array), 1 },
};

static VOID replace(RTN rtn, AFUNPTR by, int n_args)
{
    switch (n_args) {
    case 1:
        RTN_ReplaceSignature(rtn, by, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
        break;
    case 2:
        RTN_ReplaceSignature(rtn, by, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 1, IARG_REG_VALUE,
                             REG_STACK_PTR, IARG_END);
        break;
    default:
        RTN_ReplaceSignature(rtn, by, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 1,
                             IARG_FUNCARG_ENTRYPOINT_VALUE, 2, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    }
}

/* glibc's loader has a small malloc for itself; nobody else sees its blocks. */
VOID alloc_replace(IMG img)
{
    if (IMG_IsInterpreter(img) && !strstr(IMG_Name(img), "musl"))
        return;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        RTN rtn = RTN_FindByName(img, functions[i].name);
        if (RTN_Valid(rtn) && !RTN_IsArtificial(rtn))
            replace(rtn, functions[i].by, functions[i].n_args);
    }
}
