/* aot.c: calls that were asked for ahead of time, by address. They are put into every translation of the instruction, before
 * those that the callbacks of the trace ask for. Guarded by the client lock. */
#include "api/image.h"
#include "engine/cache/cache.h"
#include <stdlib.h>

/* A table that grows: a tool that counts in every routine asks for as many calls as the C library has instructions. */
static struct aot_call **slots;
static u32 n_slots, n_calls;

/* Before each return between lo and hi. */
struct at_returns { struct at_returns *next; addr_t lo, hi; struct call *call; };
static struct at_returns *at_returns;

static struct aot_change *changes;

bool aot_is_used(void) { return n_calls || at_returns || changes; }

static struct aot_call **slot_of(addr_t pc) { return &slots[(pc * 0x9e3779b97f4a7c15ull) >> 32 & (n_slots - 1)]; }

/* At the end of the chain: calls are made in the order of insertion. */
static void append(struct aot_call *a)
{
    struct aot_call **at = slot_of(a->pc);
    while (*at)
        at = &(*at)->next;
    a->next = NULL;
    *at = a;
}

static void grow(void)
{
    struct aot_call **old = slots;
    u32 n_old = n_slots;
    n_slots = n_old ? 4 * n_old : 1024;
    slots = calloc(n_slots, sizeof *slots);
    for (u32 i = 0; i < n_old; i++)
        for (struct aot_call *a = old[i], *next; a; a = next) {
            next = a->next;
            append(a);
        }
    free(old);
}

static void forget_code(addr_t lo, addr_t hi)
{
    if (code_is_shown())
        return;
    cache_lock_take();
    cache_invalidate(lo, hi);
    cache_lock_drop();
}

void aot_add(addr_t pc, enum point p, struct call *c)
{
    struct aot_call *a = calloc(1, sizeof *a);
    *a = (struct aot_call){ NULL, pc, (u8)p, c };
    if (n_calls >= n_slots)
        grow();
    append(a);
    n_calls++;
    code_start_instrumenting();
    forget_code(pc, pc + 1);
}

void aot_add_at_returns(addr_t lo, addr_t hi, struct call *c)
{
    struct at_returns *a = calloc(1, sizeof *a), **at = &at_returns;
    *a = (struct at_returns){ NULL, lo, hi, c };
    while (*at)
        at = &(*at)->next;
    *at = a;
    code_start_instrumenting();
    forget_code(lo, hi);
}

void aot_add_change(addr_t pc, const struct aot_change *c)
{
    struct aot_change *a = malloc(sizeof *a), **at = &changes;
    *a = *c;
    a->pc = pc;
    a->next = NULL;
    while (*at)
        at = &(*at)->next;
    *at = a;
    code_start_instrumenting();
    forget_code(pc, pc + 1);
}

static void forget_changes(addr_t lo, addr_t hi)
{
    for (struct aot_change **p = &changes, *a; (a = *p);) {
        if (a->pc < lo || a->pc >= hi) {
            p = &a->next;
            continue;
        }
        *p = a->next;
        free(a);
    }
}

void aot_forget(addr_t lo, addr_t hi)
{
    forget_changes(lo, hi);
    for (u32 i = 0; i < n_slots; i++)
        for (struct aot_call **p = &slots[i], *a; (a = *p);) {
            if (a->pc < lo || a->pc >= hi) {
                p = &a->next;
                continue;
            }
            *p = a->next;
            n_calls--;
            free(a->call);
            free(a);
        }
    for (struct at_returns **p = &at_returns, *a; (a = *p);) {
        if (a->lo < lo || a->lo >= hi) {
            p = &a->next;
            continue;
        }
        *p = a->next;
        free(a->call);
        free(a);
    }
}

/* ---- into a trace ---- */
static void apply(u32 i, const struct insn *in, enum point p, const struct call *from)
{
    struct call *c = instr_new_call(from->n_args);
    __builtin_memcpy(c, from, sizeof *c + from->n_args * sizeof *c->arg);
    for (u32 k = 0; k < c->n_args; k++)
        if (c->arg[k].kind == ARG_HERE) {
            c->arg[k].kind = ARG_CONST;
            c->arg[k].value = in->pc;
        }
    instr_add(i, p, c);
}

void aot_apply(const struct view *v)
{
    for (u32 i = 0; aot_is_used() && i < v->n; i++) {
        const struct insn *in = &v->insn[i];
        for (struct aot_call *a = n_slots ? *slot_of(in->pc) : NULL; a; a = a->next)
            if (a->pc == in->pc)
                apply(i, in, (enum point)a->point, a->call);
        for (struct aot_change *a = changes; a; a = a->next)
            if (a->pc == in->pc)
                insert_change(i, a);
        for (struct at_returns *a = arch_is_return(in) ? at_returns : NULL; a; a = a->next)
            if (in->pc >= a->lo && in->pc < a->hi)
                apply(i, in, POINT_BEFORE, a->call);
    }
}
