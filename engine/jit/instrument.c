/* instrument.c: see instrument.h. */
#include "engine/jit/instrument.h"
#include "arch_signal.h"
#include "base/heap.h"
#include "base/panic.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/jit/promote.h"

/* ---- memory of the trace under construction: chunks that are used again for the next one ---- */
enum { CHUNK = 1 << 16 };
struct chunk { struct chunk *next; size_t used; u64 data[]; };
static struct chunk *chunks, *current;

static void arena_reset(void)
{
    for (struct chunk *c = chunks; c; c = c->next)
        c->used = 0;
    current = chunks;
}

static struct chunk *arena_grow(void)
{
    if (current && current->next)
        return current = current->next;
    struct chunk *c = heap_alloc(CHUNK);
    if (current)
        current->next = c;
    else
        chunks = c;
    return current = c;
}

static void *arena_alloc(size_t size)
{
    size = ROUND_UP(size, 16ul);
    ct_assert(size <= CHUNK - sizeof(struct chunk), "an analysis call of %lu bytes", (unsigned long)size);
    if (!current || current->used + size > CHUNK - sizeof(struct chunk))
        arena_grow();
    void *p = (u8 *)current->data + current->used;
    current->used += size;
    memset(p, 0, size);
    return p;
}

/* ---- requests ---- */
struct insn_request *instr_requests[MAX_INSNS];
u64 instr_asked[MAX_INSNS / 64];
static bool has_movable_calls;
u32 instr_count;

bool instr_is_on(void) { return hooks.instrument != NULL; }

static long run_callbacks(void *v)
{
    hooks.instrument(v);
    return 0;
}

/* ---- calls that may stand anywhere in their block go where the flags are free ---- */
static u32 best_place(const struct view *v, u32 i)
{
    for (u32 k = i; k < v->n; k++) {
        if (arch_flags_are_dead(v->insn, k, v->n))
            return k;
        if (v->insn[k].kind != INSN_PLAIN || arch_is_repeated(&v->insn[k]))
            break;
    }
    return i;
}

static void move_calls(u32 from, u32 to)
{
    for (struct call **p = &instr_requests[from]->call[POINT_BEFORE], *c; (c = *p);) {
        if (!(c->flags & CALL_ANYWHERE)) {
            p = &c->next;
            continue;
        }
        *p = c->next;
        instr_add(to, POINT_BEFORE, c);
    }
}

static bool has_movable(u32 i)
{
    for (const struct call *c = instr_calls(i, POINT_BEFORE); c; c = c->next)
        if (c->flags & CALL_ANYWHERE)
            return true;
    return false;
}

void instr_schedule(const struct view *v)
{
    if (opt->opt_level < OPT_SCHEDULE || !has_movable_calls)
        return;
    for (u32 i = v->n; i-- > 0;) {                /* from the end: what was moved is not looked at again */
        u32 to = has_movable(i) ? best_place(v, i) : i;
        if (to != i)
            move_calls(i, to);
    }
}

bool instr_run(const struct view *v)
{
    memset(instr_requests, 0, instr_count * sizeof *instr_requests);
    instr_count = hooks.instrument ? v->n : 0;
    if (!instr_count)
        return false;
    memset(instr_asked, 0, sizeof instr_asked);
    has_movable_calls = false;
    arena_reset();
    bool is_simple = promote_spare(true);
    arch_call_briefly(run_callbacks, (void *)v, is_simple);
    promote_spare(false);
    return true;
}

struct insn_request *instr_request(u32 insn)
{
    struct insn_request *r = instr_requests[insn];
    if (!r) {
        r = instr_requests[insn] = arena_alloc(sizeof *r);
        instr_asked[insn / 64] |= 1ull << insn % 64;
    }
    return r;
}

struct call *instr_new_call(u32 n_args) { return arena_alloc(sizeof(struct call) + n_args * sizeof(struct arg)); }

/* Mostly in order already, so the end of the list is tried first. A Then stays right behind its If. */
void instr_add(u32 insn, enum point p, struct call *c)
{
    struct insn_request *r = instr_request(insn);
    struct call **at = &r->call[p];
    has_movable_calls |= (c->flags & CALL_ANYWHERE) != 0;
    while (*at && (*at)->order <= c->order)
        at = &(*at)->next;
    c->next = *at;
    *at = c;
}

void instr_forget_before(void)
{
    if (instr_count && instr_requests[0])
        instr_requests[0]->call[POINT_BEFORE] = NULL;
}

/* ---- memory of finished traces: blocks chained by their first words ---- */
struct kept { struct kept *next; size_t size; u64 data[]; };
static struct kept *kept;

void *instr_keep(size_t size)
{
    size += sizeof(struct kept);
    struct kept *k = heap_alloc(size);
    k->next = kept;
    k->size = size;
    kept = k;
    return k->data;
}

void instr_keep_for(struct trace *t)
{
    if (t->has_annex)
        trace_annex(t)->kept = ptr_ref(kept);
    kept = NULL;
}

void instr_free(struct trace *t)
{
    struct annex *a = trace_annex(t);
    for (struct kept *k = a ? ref_ptr(a->kept) : NULL, *next; k; k = next) {
        next = k->next;
        heap_free(k, k->size);
    }
    if (a)
        a->kept = 0;
}
