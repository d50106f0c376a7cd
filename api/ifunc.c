/* ifunc.c: indirect functions: requests on one are for what its resolver chooses. The symbol's address is the resolver's, and only the
 * loader runs it; so its return is watched, and what was asked for is put in place then, before anybody can call the routine.
 * Guarded by the client lock. */
#include "api/image.h"
#include "engine/jit/replace.h"
#include <stdlib.h>
#include <string.h>

struct ifunc { struct ifunc *next; addr_t resolver, chosen; struct follower *follower; u32 n; };
static struct ifunc *all;

static struct ifunc *find(addr_t resolver)
{
    struct ifunc *f = all;
    while (f && f->resolver != resolver)
        f = f->next;
    return f;
}

addr_t ifunc_chosen(addr_t resolver)
{
    client_lock();
    struct ifunc *f = find(resolver);
    addr_t chosen = f ? f->chosen : 0;
    client_unlock();
    return chosen;
}

addr_t ifunc_resolver(addr_t chosen)
{
    client_lock();
    struct ifunc *f = all;
    while (f && f->chosen != chosen)
        f = f->next;
    client_unlock();
    return f ? f->resolver : 0;
}

/* ---- putting in place ---- */
/* Where the list names the routine (IARG_ORIG_FUNCPTR, IARG_INST_PTR), it is the implementation. */
static struct call *copy_for(const struct call *from, addr_t resolver, addr_t chosen)
{
    size_t size = sizeof *from + from->n_args * sizeof *from->arg;
    struct call *c = malloc(size);
    memcpy(c, from, size);
    for (u32 k = 0; k < c->n_args; k++)
        if (c->arg[k].kind == ARG_CONST && c->arg[k].value == resolver)
            c->arg[k].value = chosen;
    return c;
}

static void place(const struct ifunc *f, const struct follower *w)
{
    struct call *c = copy_for(w->call, f->resolver, f->chosen);
    RTN rtn = RTN_FindByAddress(f->chosen);
    switch (w->kind) {
    case FOLLOW_ENTRY: aot_add(f->chosen, POINT_BEFORE, c); break;
    case FOLLOW_RETURNS: aot_add_at_returns(f->chosen, f->chosen + (RTN_Valid(rtn) ? RTN_Range(rtn) : 1), c); break;
    case FOLLOW_REPLACE:
        replace_add(f->chosen, c, w->has_arguments, w->returns_float);
        PIN_RemoveInstrumentationInRange(f->chosen, f->chosen);
        free(c);
        break;
    }
}

static void resolved(ADDRINT resolver, ADDRINT chosen)
{
    client_lock();
    struct ifunc *f = find(resolver);
    bool is_news = f && f->chosen != chosen;
    if (f)
        f->chosen = chosen;
    for (u32 i = 0; is_news && i < f->n; i++)
        place(f, &f->follower[i]);
    client_unlock();
}

/* ---- watching ---- */
static struct ifunc *watch(RTN rtn)
{
    addr_t at = RTN_Address(rtn);
    struct ifunc *f = find(at);
    if (f)
        return f;
    f = calloc(1, sizeof *f);
    f->resolver = at;
    f->next = all;
    all = f;
    struct call *c = calloc(1, sizeof *c + 2 * sizeof *c->arg);
    c->fn = (const void *)resolved;
    c->n_args = 2;
    c->arg[0] = (struct arg){ .kind = ARG_CONST, .offset_size = 8, .value = at };
    c->arg[1] = (struct arg){ .kind = ARG_REG, .offset_size = 8, .reg = reg_to_id(REG_GAX) };
    aot_add_at_returns(at, at + RTN_Range(rtn), c);
    return f;
}

static bool is_resolver(RTN rtn)
{
    SYM sym = RTN_Valid(rtn) ? RTN_Sym(rtn) : (SYM){ 0 };
    return SYM_Valid(sym) && SYM_IFuncResolver(sym);
}

void ifunc_note(RTN rtn)
{
    if (is_resolver(rtn))
        watch(rtn);
}

bool ifunc_follow(RTN rtn, struct follower w)
{
    if (image_shows_resolvers() || !is_resolver(rtn))
        return false;
    client_lock();
    struct ifunc *f = watch(rtn);
    f->follower = realloc(f->follower, (f->n + 1) * sizeof *f->follower);
    f->follower[f->n++] = w;
    if (f->chosen)
        place(f, &w);
    client_unlock();
    return true;
}
