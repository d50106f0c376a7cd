/* replace.c: see replace.h. */
#include "engine/jit/replace.h"
#include "base/heap.h"
#include "engine/cache/cache.h"
#include "engine/jit/instrument.h"

struct replacement {
    struct replacement *next;
    addr_t pc;
    bool has_signature, returns_float;
    struct call call;                           /* last: its arguments follow */
};

enum { N_SLOTS = 256 };
static struct replacement *slots[N_SLOTS];
u32 replace_count;

static struct replacement **slot_of(addr_t pc) { return &slots[(pc >> 4 ^ pc >> 12) % N_SLOTS]; }

static struct replacement *find(addr_t pc)
{
    for (struct replacement *r = replace_count ? *slot_of(pc) : NULL; r; r = r->next)
        if (r->pc == pc)
            return r;
    return NULL;
}

bool replace_find(addr_t pc) { return find(pc) != NULL; }

bool replace_has(addr_t pc)
{
    cache_lock_take();
    bool has = replace_is_at(pc);
    cache_lock_drop();
    return has;
}

static size_t size_of(u32 n_args) { return sizeof(struct replacement) + n_args * sizeof(struct arg); }

static void remove_at(struct replacement **p)
{
    struct replacement *r = *p;
    *p = r->next;
    heap_free(r, size_of(r->call.n_args));
    replace_count--;
}

void replace_remove(addr_t lo, addr_t hi)
{
    cache_lock_take();
    for (u32 i = 0; replace_count && i < N_SLOTS; i++)
        for (struct replacement **p = &slots[i]; *p;) {
            if ((*p)->pc >= lo && (*p)->pc < hi)
                remove_at(p);
            else
                p = &(*p)->next;
        }
    cache_lock_drop();
}

void replace_add(addr_t pc, const struct call *call, bool has_signature, bool returns_float)
{
    replace_remove(pc, pc + 1);
    struct replacement *r = heap_alloc(size_of(call->n_args));
    *r = (struct replacement){ .pc = pc, .has_signature = has_signature, .returns_float = returns_float };
    memcpy(&r->call, call, sizeof *call + call->n_args * sizeof *call->arg);
    cache_lock_take();
    struct replacement **slot = slot_of(pc);
    r->next = *slot;
    *slot = r;
    replace_count++;
    cache_invalidate(pc, pc + 1);
    cache_lock_drop();
}

/* The record may go away while the routine runs: it works on a copy. */
void replace_perform(struct thread *t, addr_t pc)
{
    struct { struct call call; struct arg arg[MAX_CALL_ARGS]; } copy;
    cache_lock_take();
    struct replacement *r = find(pc);
    bool has_signature = r && r->has_signature, returns_float = r && r->returns_float;
    if (r)
        memcpy(&copy, &r->call, sizeof(struct call) + r->call.n_args * sizeof(struct arg));
    cache_lock_drop();
    if (!r)
        return;                                 /* gone meanwhile: the dispatcher looks at the place anew */
    if (has_signature)
        arch_call_with_signature(t, &copy.call, returns_float);
    else
        arch_call_in_place(t, copy.call.fn);
    arch_return_from_routine(t);
}
