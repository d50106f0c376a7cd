/* native_return.c: routines with calls behind them return to the engine first. Where they would have returned to is kept in a
 * table, by the place of the return address on the stack.
 *
 *  (1) A place holds one return address at a time, so it is a key for all threads and all stacks: coroutines that move from
 *      one thread to another find theirs.
 *  (2) An entry is taken and given back by single instructions: a handler that interrupts may do the same.
 *  (3) When an exception is thrown, the original return addresses are put back; where it is caught, those of frames that are
 *      left are exchanged again.
 *  (4) Frames that are left by longjmp leave entries behind. They are overwritten when their place is used again, or when the
 *      table is short of room: such a place holds another value by then. */
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/native.h"
#include "loader/handoff.h"
#include "probe/probe.h"

enum { ENTRIES = 1 << 16, LOOK = 64 };
struct entry { addr_t *slot; addr_t to; struct native_probe *p; };
static struct entry *table;

static struct entry *home(const addr_t *slot)
{
    u64 h = ((u64)slot >> 3) * 0x9e3779b97f4a7c15ull;
    return &table[h >> 48];
}

static struct entry *nth(struct entry *from, u32 i) { return &table[(from - table + i) % ENTRIES]; }

static bool take(struct entry *e, addr_t *old, addr_t *slot)
{
    return __atomic_compare_exchange_n(&e->slot, &old, slot, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Its stack may be gone: the kernel looks. */
static bool is_dead(addr_t *slot)
{
    addr_t v = 0;
    struct { void *at; size_t n; } to = { &v, 8 }, from = { slot, 8 };
    return sys6(__NR_process_vm_readv, sys_gettid(), &to, 1, &from, 1, 0) != 8 || v != (addr_t)arch_native_return;
}

static struct entry *find_room(addr_t *slot)
{
    struct entry *from = home(slot);
    for (u32 i = 0; i < LOOK; i++)
        if (nth(from, i)->slot == slot || take(nth(from, i), NULL, slot))
            return nth(from, i);
    for (u32 i = 0; i < LOOK; i++) {
        addr_t *old = nth(from, i)->slot;
        if (old && is_dead(old) && take(nth(from, i), old, slot))
            return nth(from, i);
    }
    return NULL;
}

static bool has_table(void)
{
    if (__atomic_load_n(&table, __ATOMIC_ACQUIRE))
        return true;
    struct entry *fresh = heap_pages(ENTRIES * sizeof *fresh), *none = NULL;
    if (!__atomic_compare_exchange_n(&table, &none, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        heap_free_pages(fresh, ENTRIES * sizeof *fresh);
    return true;
}

void native_tell_returns(struct handoff *h)
{
    _Static_assert(sizeof(struct entry) == sizeof(struct handoff_return), "");
    _Static_assert(offsetof(struct entry, slot) == offsetof(struct handoff_return, slot), "");
    _Static_assert(offsetof(struct entry, to) == offsetof(struct handoff_return, to), "");
    h->returns = (u64)table;
    h->n_returns = table ? ENTRIES : 0;
    h->return_to = (u64)arch_native_return;
}

bool native_catch_return(addr_t *slot, struct native_probe *p)
{
    struct entry *e = has_table() ? find_room(slot) : NULL;
    if (!e)
        return false;
    e->to = *slot;
    e->p = p;
    *slot = (addr_t)arch_native_return;
    return true;
}

/* ---- exceptions: the application's unwinder must see its own return addresses ---- */
static struct entry *find(addr_t *slot)
{
    struct entry *from = home(slot);
    for (u32 i = 0; i < LOOK; i++)
        if (nth(from, i)->slot == slot)
            return nth(from, i);
    return NULL;
}

/* The kernel's list is read once for each stack that a thread runs on. */
static addr_t *end_of_stack(addr_t sp)
{
    static __thread addr_t lo, hi;
    if (sp < lo || sp >= hi)
        lo = sp, hi = probe_mapping_end(sp);
    lo = MIN(lo, sp);
    return (addr_t *)hi;
}

void native_show_returns(addr_t sp)
{
    addr_t *end = table ? end_of_stack(sp) : NULL;
    for (addr_t *slot = (addr_t *)ROUND_UP(sp, 8ul); slot < end; slot++) {
        struct entry *e = *slot == (addr_t)arch_native_return ? find(slot) : NULL;
        if (e)
            *slot = e->to;
    }
}

/* Frames that are still there: their return addresses are where they were. */
void native_catch_again(addr_t sp)
{
    addr_t *end = table ? end_of_stack(sp) : NULL;
    for (addr_t *slot = (addr_t *)ROUND_UP(sp, 8ul); slot < end; slot++) {
        struct entry *e = find(slot);
        if (e && *slot == e->to)
            *slot = (addr_t)arch_native_return;
    }
}

addr_t native_returned(addr_t *slot, struct native_probe **p)
{
    struct entry *e = find(slot);
    ct_assert(e, "no return address is known for %lx", (addr_t)slot);
    addr_t to = e->to;
    *p = e->p;
    __atomic_store_n(&e->slot, NULL, __ATOMIC_RELEASE);
    return to;
}
