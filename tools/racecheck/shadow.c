/* shadow.c: see shadow.h. Words of a page lie together; a table of three levels leads to them. Pages are never given back, so
 * that a lookup needs no lock. */
#include "tool.h"
#include "clock.h"
#include "shadow.h"

enum { PAGE = 4096, WORDS = PAGE / 8, BITS = 12, FAN = 1 << BITS, LOCKS = 4096 };
struct leaf { struct word *volatile page[FAN]; };
struct middle { struct leaf *volatile leaf[FAN]; };
static struct middle *volatile root[FAN];
static volatile char locks[LOCKS];

/* The thing at *slot, made when missing: who loses the race for it frees his own. */
#define GET(slot) \
    ({ \
        __typeof__(*(slot)) have = *(slot); \
        if (!have) { \
            __typeof__(have) mine = need(SIZE_OF(slot)); \
            have = __sync_val_compare_and_swap(slot, NULL, mine); \
            if (have) \
                free(mine); \
            else \
                have = mine; \
        } \
        have; \
    })
#define SIZE_OF(slot) (__builtin_types_compatible_p(__typeof__(**(slot)), struct word) ? WORDS * sizeof(struct word) : sizeof **(slot))

static struct word *make(ADDRINT a)
{
    UINT64 page = a / PAGE;
    struct middle *volatile *top = &root[page >> 2 * BITS & (FAN - 1)];
    struct leaf *volatile *middle = &GET(top)->leaf[page >> BITS & (FAN - 1)];
    struct word *volatile *words = &GET(middle)->page[page & (FAN - 1)];
    return GET(words) + a % PAGE / 8;
}

struct word *shadow_known(ADDRINT a)
{
    UINT64 page = a / PAGE;
    struct middle *middle = root[page >> 2 * BITS & (FAN - 1)];
    struct leaf *leaf = middle ? middle->leaf[page >> BITS & (FAN - 1)] : NULL;
    struct word *words = leaf ? leaf->page[page & (FAN - 1)] : NULL;
    return words ? words + a % PAGE / 8 : NULL;
}

static volatile char *lock_of(ADDRINT a) { return &locks[(a / 8 ^ a / PAGE) % LOCKS]; }

bool shadow_try(ADDRINT a) { return !__atomic_test_and_set(lock_of(a), __ATOMIC_ACQUIRE); }

static VOID take(ADDRINT a)
{
    while (!shadow_try(a))
        PIN_Yield();
}

struct word *shadow_take(ADDRINT a)
{
    struct word *w = make(a);
    take(a);
    return w;
}

struct word *shadow_take_if_any(ADDRINT a)
{
    struct word *w = shadow_known(a);
    if (w)
        take(a);
    return w;
}

VOID shadow_give(ADDRINT a) { __atomic_clear(lock_of(a), __ATOMIC_RELEASE); }

VOID shadow_forget(ADDRINT a, size_t n)
{
    for (ADDRINT end = a + n; a < end; a += 8) {
        if (a % PAGE == 0 && end - a >= PAGE && !shadow_known(a)) {
            a += PAGE - 8;
            continue;
        }
        struct word *w = shadow_take_if_any(a);
        if (!w)
            continue;
        w->n = w->next = w->sync_bytes = 0;
        shadow_give(a);
    }
}
