/* strings.c: see strings.h.
 *
 * Most of these functions are chosen by the CPU at run time: their symbols name a resolver, which returns the address of the
 * function proper. That has no name in a stripped library. So the resolvers' results are watched. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "check.h"
#include "strings.h"
#include <wchar.h>

/* What a function does with its arguments a, b, c. */
enum shape {
    MEM_COPY,           /* reads c at b, writes c at a */
    MEM_SET,            /* writes c at a */
    MEM_COMPARE,        /* reads at a and b until they differ, at most c */
    MEM_FIND,           /* reads at a until the byte b, at most c */
    MEM_FIND_LAST,      /* reads c at a */
    STR_LENGTH,         /* reads the string a */
    STR_NLENGTH,        /* reads the string a, at most b */
    STR_FIND,           /* reads the string a until the byte b */
    STR_FIND_STR,       /* reads the string b, and a until b is found in it */
    STR_SPAN,           /* reads the string b, and a while its bytes are in b */
    STR_UNTIL,          /* reads the string b, and a until a byte of b */
    STR_COMPARE,        /* reads the strings a and b until they differ */
    STR_NCOMPARE,       /* the same, at most c */
    STR_COPY,           /* reads the string b, writes as much at a */
    STR_NCOPY,          /* reads the string b, at most c; writes c at a */
    STR_APPEND,         /* reads the strings a and b, writes b at the end of a */
    STR_NAPPEND         /* the same, at most c of b */
};
enum { FOLDS_CASE = 1 };
static const struct function { const char *name; UINT8 shape, unit, flags; } functions[] = {
    { "memcpy", MEM_COPY, 1 }, { "memmove", MEM_COPY, 1 }, { "mempcpy", MEM_COPY, 1 }, { "__mempcpy", MEM_COPY, 1 },
    { "__memcpy_chk", MEM_COPY, 1 }, { "__memmove_chk", MEM_COPY, 1 }, { "__mempcpy_chk", MEM_COPY, 1 }, { "wmemcpy", MEM_COPY, 4 },
    { "wmemmove", MEM_COPY, 4 }, { "memset", MEM_SET, 1 }, { "__memset_chk", MEM_SET, 1 }, { "wmemset", MEM_SET, 4 },
    { "memcmp", MEM_COMPARE, 1 }, { "bcmp", MEM_COMPARE, 1 }, { "__memcmpeq", MEM_COMPARE, 1 }, { "wmemcmp", MEM_COMPARE, 4 },
    { "memchr", MEM_FIND, 1 }, { "rawmemchr", MEM_FIND, 1 }, { "__rawmemchr", MEM_FIND, 1 }, { "wmemchr", MEM_FIND, 4 },
    { "memrchr", MEM_FIND_LAST, 1 }, { "strlen", STR_LENGTH, 1 }, { "wcslen", STR_LENGTH, 4 }, { "strnlen", STR_NLENGTH, 1 },
    { "wcsnlen", STR_NLENGTH, 4 }, { "strchr", STR_FIND, 1 }, { "index", STR_FIND, 1 }, { "strchrnul", STR_FIND, 1 },
    { "wcschr", STR_FIND, 4 }, { "strrchr", STR_LENGTH, 1 }, { "rindex", STR_LENGTH, 1 }, { "wcsrchr", STR_LENGTH, 4 },
    { "strstr", STR_FIND_STR, 1 }, { "strspn", STR_SPAN, 1 }, { "strcspn", STR_UNTIL, 1 }, { "strpbrk", STR_UNTIL, 1 },
    { "strcmp", STR_COMPARE, 1 }, { "wcscmp", STR_COMPARE, 4 }, { "strncmp", STR_NCOMPARE, 1 }, { "wcsncmp", STR_NCOMPARE, 4 },
    { "strcasecmp", STR_COMPARE, 1, FOLDS_CASE }, { "__strcasecmp", STR_COMPARE, 1, FOLDS_CASE },
    { "strcasecmp_l", STR_COMPARE, 1, FOLDS_CASE }, { "strncasecmp", STR_NCOMPARE, 1, FOLDS_CASE },
    { "strncasecmp_l", STR_NCOMPARE, 1, FOLDS_CASE }, { "strcpy", STR_COPY, 1 }, { "stpcpy", STR_COPY, 1 },
    { "__stpcpy", STR_COPY, 1 }, { "wcscpy", STR_COPY, 4 }, { "strncpy", STR_NCOPY, 1 }, { "stpncpy", STR_NCOPY, 1 },
    { "__stpncpy", STR_NCOPY, 1 }, { "strcat", STR_APPEND, 1 }, { "strncat", STR_NAPPEND, 1 },
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- reading the program's memory, which may not be there ---- */
static UINT32 element(ADDRINT a, size_t i, UINT32 unit, bool *ok)
{
    UINT32 c = 0;
    a += i * unit;
    if (arena_has(a))
        memcpy(&c, (VOID *)a, unit);
    else if (PIN_SafeCopy(&c, (VOID *)a, unit) != unit)
        *ok = false;
    return c;
}

/* How many elements it takes to find `what` or 0, itself included; at most max. Ends where the heap's bytes end being fine. */
static size_t length(ADDRINT a, UINT32 unit, size_t max, bool stops_at_zero, UINT32 what)
{
    bool ok = true;
    for (size_t i = 0; i < max; i++) {
        UINT32 c = element(a, i, unit, &ok);
        if (!ok)
            return i;
        if ((stops_at_zero && c == 0) || c == what || (arena_has(a) && *arena_state(a + i * unit) > BYTE_UNSET))
            return i + 1;
    }
    return max;
}

/* How much of the string a is read until b, of n bytes, is found in it: all when it is not. */
static size_t until_string(ADDRINT a, ADDRINT b, size_t n)
{
    bool ok = true;
    size_t all = length(a, 1, (size_t)-1 / 8, true, 0);
    for (size_t i = 0; i + n <= all; i++) {
        size_t k = 0;
        while (k < n && element(a, i + k, 1, &ok) == element(b, k, 1, &ok))
            k++;
        if (k == n)
            return i + n;
    }
    return all;
}

/* How much of the string a is read until a byte is in b, of n bytes, or is not: with that byte. */
static size_t until_set(ADDRINT a, ADDRINT b, size_t n, bool wanted)
{
    bool ok = true;
    size_t all = length(a, 1, (size_t)-1 / 8, true, 0);
    for (size_t i = 0; i < all; i++) {
        bool is_in = false;
        for (size_t k = 0; k < n && !is_in; k++)
            is_in = element(a, i, 1, &ok) == element(b, k, 1, &ok);
        if (is_in == wanted)
            return i + 1;
    }
    return all;
}

static UINT32 fold(UINT32 c, UINT32 flags) { return (flags & FOLDS_CASE) && c >= 'A' && c <= 'Z' ? c + 32 : c; }

static size_t common(ADDRINT a, ADDRINT b, const struct function *f, size_t max, bool stops_at_zero)
{
    bool ok = true;
    for (size_t i = 0; i < max; i++) {
        UINT32 x = fold(element(a, i, f->unit, &ok), f->flags), y = fold(element(b, i, f->unit, &ok), f->flags);
        if (!ok)
            return i;
        if (x != y || (stops_at_zero && x == 0))
            return i + 1;
    }
    return max;
}

/* ---- the checks ---- */
static ADDRINT touches_heap(ADDRINT a, ADDRINT b) { return (a - HEAP_LO < HEAP_SIZE) | (b - HEAP_LO < HEAP_SIZE); }

static VOID entered(const struct function *f, ADDRINT a, ADDRINT b, ADDRINT c, ADDRINT sp)
{
    UINT32 u = f->unit;
    size_t n, ALL = (size_t)-1 / 8;
    /* These may differ in characters beyond ASCII: what is certain is the first difference there. */
#define READS(p, n_) check_range(p, (n_) * u, CHECK_READ, 0, sp, f->name)
#define WRITES(p, n_) check_range(p, (n_) * u, CHECK_WRITE, 0, sp, f->name)
    switch (f->shape) {
    case MEM_COPY: READS(b, c); WRITES(a, c); break;
    case MEM_SET: WRITES(a, c); break;
    case MEM_COMPARE: n = common(a, b, f, c, false); READS(a, n); READS(b, n); break;
    case MEM_FIND:
        if (strstr(f->name, "raw"))
            c = ALL;
        READS(a, length(a, u, c, false, u == 1 ? (UINT8)b : (UINT32)b));
        break;
    case MEM_FIND_LAST: READS(a, c); break;
    case STR_LENGTH: READS(a, length(a, u, ALL, true, 0)); break;
    case STR_NLENGTH: READS(a, length(a, u, b, true, 0)); break;
    case STR_FIND: READS(a, length(a, u, ALL, true, u == 1 ? (UINT8)b : (UINT32)b)); break;
    case STR_FIND_STR:
    case STR_SPAN:
    case STR_UNTIL:
        n = length(b, u, ALL, true, 0);
        READS(b, n);
        READS(a, f->shape == STR_FIND_STR ? until_string(a, b, n - 1) : until_set(a, b, n - 1, f->shape == STR_UNTIL));
        break;
    case STR_COMPARE: n = common(a, b, f, ALL, true); READS(a, n); READS(b, n); break;
    case STR_NCOMPARE: n = common(a, b, f, c, true); READS(a, n); READS(b, n); break;
    case STR_COPY: n = length(b, u, ALL, true, 0); READS(b, n); WRITES(a, n); break;
    case STR_NCOPY: READS(b, length(b, u, c, true, 0)); WRITES(a, c); break;
    case STR_APPEND:
    case STR_NAPPEND: {
        size_t had = length(a, u, ALL, true, 0);
        n = f->shape == STR_APPEND ? length(b, u, ALL, true, 0) : length(b, u, c, true, 0);
        READS(a, had);
        READS(b, n);
        /* strncat always writes a 0: one more when it stopped at the limit. */
        if (f->shape == STR_NAPPEND && n == c)
            n++;
        WRITES(a + (had - 1) * u, n);
        break;
    }
    }
#undef READS
#undef WRITES
}

/* ---- where they are ---- */
static struct map entries;                      /* address -> 1 + index of the function */
static PIN_LOCK lock;

static VOID add(ADDRINT at, UINT32 i)
{
    PIN_GetLock(&lock, 1);
    UINT64 *slot = at ? map_at(&entries, at) : NULL;
    bool is_new = slot && !*slot;
    if (is_new)
        *slot = i + 1;
    PIN_ReleaseLock(&lock);
    if (is_new)
        PIN_RemoveInstrumentationInRange(at, at);
}

static VOID resolved(ADDRINT at, UINT32 i) { add(at, i); }

static VOID look(INS ins, VOID *v)
{
    PIN_GetLock(&lock, 1);
    UINT64 i = map_get(&entries, INS_Address(ins));
    PIN_ReleaseLock(&lock);
    if (!i)
        return;
    INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(touches_heap), IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 1,
                     IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(entered), IARG_PTR, &functions[i - 1], IARG_FUNCARG_ENTRYPOINT_VALUE, 0,
                       IARG_FUNCARG_ENTRYPOINT_VALUE, 1, IARG_FUNCARG_ENTRYPOINT_VALUE, 2, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
}

static VOID watch_resolver(SYM sym, UINT32 i)
{
    RTN rtn = RTN_FindByAddress(SYM_Address(sym));
    if (!RTN_Valid(rtn))
        return;
    RTN_Open(rtn);
    RTN_InsertCall(rtn, IPOINT_AFTER, AFUNPTR(resolved), IARG_FUNCRET_EXITPOINT_VALUE, IARG_UINT32, i, IARG_END);
    RTN_Close(rtn);
}

static UINT32 index_of(const char *name)
{
    UINT32 i = 0;
    while (i < N_FUNCTIONS && strcmp(functions[i].name, name) != 0)
        i++;
    return i;
}

VOID strings_watch(IMG img)
{
    if (check_trust(IMG_LowAddress(img)) == TRUST_NONE)
        return;
    for (SYM sym = IMG_RegsymHead(img); SYM_Valid(sym); sym = SYM_Next(sym)) {
        UINT32 i = index_of(SYM_Name(sym));
        if (i == N_FUNCTIONS)
            continue;
        if (SYM_IFuncResolver(sym))
            watch_resolver(sym, i);
        else
            add(SYM_Address(sym), i);
    }
}

VOID strings_begin(VOID)
{
    PIN_InitLock(&lock);
    PIN_InitSymbolsAlt(DEBUG_OR_EXPORT_SYMBOLS | IFUNC_SYMBOLS);        /* calls on a resolver are the resolver's own */
    INS_AddInstrumentFunction(look, 0);
}
