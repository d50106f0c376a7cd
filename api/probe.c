/* probe.c: probes of the tool: a jump at a routine's beginning leads to a stub, the stub to the tool.
 *
 *  (1) `all` and what is in it is guarded by the client lock. Threads in stubs read native_probe without it: its lists only
 *      grow, and records are never freed.
 *  (2) The slot leads to the calls, if there are any; those to the replacement, if there is one; that, or the calls, to the
 *      copy of the routine's own instructions. */
#include "api/iarg.h"
#include "api/probe.h"
#include "base/heap.h"
#include "engine/engine.h"
#include "engine/log.h"
#include "probe/probe.h"
#include <stdlib.h>
#include <string.h>

struct stub { struct stub *older; enum arch_stub kind; const void *next, *code; };
struct probed {
    struct probed *next;
    struct native_probe np;
    struct probe *probe;
    struct stub *stubs;                 /* made so far */
    const void *replacement;            /* a stub; NULL: the routine itself */
    bool is_entry;                      /* of a routine, not any instruction */
    bool is_wrapped;                    /* np.original leads to a routine of ours, which calls the copy */
};
static struct probed *all;
static bool is_running, is_attaching;

void probes_start_running(bool is_attached)
{
    is_running = true;
    is_attaching = is_attached;
}

/* ---- where ---- */
static const struct probe_targets *targets_around(struct image *m, addr_t at)
{
    for (u32 i = 0; m && i < sym_n_sections(m->sym); i++) {
        const struct sym_section *s = sym_section(m->sym, i);
        if (!s->is_executable || !s->is_mapped || at < s->address || at >= s->address + s->size)
            continue;
        if (!m->targets)
            m->targets = calloc(sym_n_sections(m->sym), sizeof *m->targets);
        if (!m->targets[i])
            m->targets[i] = probe_targets_find(s->address, s->address + s->size);
        return m->targets[i];
    }
    return NULL;
}

static u32 plan_flags(PROBE_MODE mode)
{
    return (mode & PROBE_MODE_ALLOW_RELOCATION ? PROBE_WHOLE : 0) |
           (mode & PROBE_MODE_ALLOW_POTENTIAL_BRANCH_TARGET ? PROBE_RISK_TARGETS : 0);
}

static struct probe_site site_of(RTN rtn, PROBE_MODE mode)
{
    const struct rtn_record *r = rtn_of(rtn);
    addr_t at = r->r->address;
    return (struct probe_site){ at, r->r->size, r->r->range, plan_flags(mode), targets_around(r->image, at) };
}

static struct probe_site site_at(addr_t at)
{
    struct image *m = image_at(at);
    const struct sym_routine *r = m ? sym_routine_at(m->sym, at) : NULL;
    if (!r)
        return (struct probe_site){ .at = at };
    size_t before = at - r->address, size = r->size > before ? r->size - before : 0;
    return (struct probe_site){ at, size, r->range - before, PROBE_ANYWHERE, targets_around(m, at) };
}

/* ---- what is there ---- */
static struct probed *find(addr_t at)
{
    struct probed *d = all;
    while (d && d->np.at != at)
        d = d->next;
    return d;
}

static void tell_refusal(addr_t at, enum probe_reason why)
{
    if (engine_handoff->opt.verbose)
        log_line("no probe at %lx: %s", at, probe_why(why));
}

static struct probed *get(const struct probe_site *s)
{
    struct probed *d = find(s->at);
    struct probe *p;
    if (d)
        return d;
    enum probe_reason why = probe_make(s, &p);
    if (why) {
        tell_refusal(s->at, why);
        return NULL;
    }
    d = calloc(1, sizeof *d);
    *d = (struct probed){ .next = all, .np = { .at = s->at, .original = probe_original(p) }, .probe = p,
                          .is_entry = !(s->flags & PROBE_ANYWHERE) };
    return all = d;
}

/* Threads may be in an old stub at any time, so it is never changed; the same one is used again. */
static const void *stub(struct probed *d, enum arch_stub kind, const void *next)
{
    struct stub *s;
    for (s = d->stubs; s; s = s->older)
        if (s->kind == kind && s->next == next)
            return s->code;
    u8 *room = probe_near(d->np.at, ARCH_STUB_SIZE);
    if (!room)
        return NULL;
    arch_native_stub(room, kind, &d->np, next);
    s = malloc(sizeof *s);
    *s = (struct stub){ d->stubs, kind, next, room };
    d->stubs = s;
    return room;
}

/* No other thread executes code of an image that is being loaded, nor anything before the start. */
static bool is_quiet(addr_t at)
{
    const struct image *m = is_attaching ? NULL : image_arriving();
    return !is_running || (m && m == image_at(at));
}

/* Lead the probe to what it is for now. */
static bool install(struct probed *d)
{
    const void *to = d->replacement ? d->replacement : d->np.original;
    if (d->np.before || d->np.after)
        to = stub(d, d->is_entry ? STUB_CALLS : STUB_CALLS_ALL, to);
    if (!to)
        return false;
    if (probe_is_placed(d->probe)) {
        probe_retarget(d->probe, to);
        return true;
    }
    enum probe_reason why = probe_place(d->probe, to, is_quiet(d->np.at));
    if (why)
        tell_refusal(d->np.at, why);
    return !why;
}

static void must_be_probing(const char *function)
{
    if (!native_is_on())
        api_fatal("%s: only after PIN_StartProgramProbed: call it from an image callback", function);
}

/* ---- questions ---- */
static bool is_possible(const struct probe_site *s)
{
    struct probe_plan plan;
    enum probe_reason why = PROBE_OK;
    must_be_probing("IsSafeForProbed");
    client_lock();
    if (!find(s->at))
        why = probe_plan(s, &plan);
    if (why)
        tell_refusal(s->at, why);
    client_unlock();
    return !why;
}

BOOL RTN_IsSafeForProbedInsertionEx(RTN rtn, PROBE_MODE mode)
{
    struct probe_site s = site_of(rtn, mode);
    return is_possible(&s);
}

BOOL RTN_IsSafeForProbedReplacementEx(RTN rtn, PROBE_MODE mode)
{
    struct probed *d = find(RTN_Address(rtn));
    return RTN_IsSafeForProbedInsertionEx(rtn, mode) && !(d && d->replacement);
}

BOOL RTN_IsSafeForProbedInsertion(RTN rtn) { return RTN_IsSafeForProbedInsertionEx(rtn, PROBE_MODE_DEFAULT); }
BOOL RTN_IsSafeForProbedReplacement(RTN rtn) { return RTN_IsSafeForProbedReplacementEx(rtn, PROBE_MODE_DEFAULT); }

BOOL PIN_IsSafeForProbedInsertion(ADDRINT at)
{
    struct probe_site s = site_at(at);
    return is_possible(&s);
}

/* ---- replacing ---- */
/* What the stubs have to keep must be known before the first thread finds the call. */
static void look_at(struct probed *d, struct call *c)
{
    if (arch_native_uses_vectors(c))
        __atomic_store_n(&d->np.uses_vectors, true, __ATOMIC_SEQ_CST);
    else
        c->flags |= CALL_PRESERVES;
}

static AFUNPTR replace(struct probed *d, enum arch_stub kind, const void *next)
{
    if (d->replacement) {
        tell_refusal(d->np.at, PROBE_TAKEN);
        return NULL;
    }
    d->replacement = stub(d, kind, next);
    if (d->replacement && install(d))
        return (AFUNPTR)d->np.original;
    d->replacement = NULL;
    return NULL;
}

AFUNPTR RTN_ReplaceProbedEx(RTN rtn, PROBE_MODE mode, AFUNPTR fun)
{
    must_be_probing("RTN_ReplaceProbed");
    client_lock();
    struct probe_site s = site_of(rtn, mode);
    struct probed *d = get(&s);
    AFUNPTR original = d ? replace(d, STUB_JUMP, (const void *)fun) : NULL;
    client_unlock();
    return original;
}

AFUNPTR RTN_ReplaceProbed(RTN rtn, AFUNPTR fun) { return RTN_ReplaceProbedEx(rtn, PROBE_MODE_DEFAULT, fun); }

static AFUNPTR replace_signature(RTN rtn, PROBE_MODE mode, AFUNPTR fun, va_list ap)
{
    const char *function = "RTN_ReplaceSignatureProbed";
    AFUNPTR original = NULL;
    must_be_probing(function);
    client_lock();
    struct probe_site s = site_of(rtn, mode);
    struct probed *d = get(&s);
    if (d) {
        struct iargs p = { .address = (addr_t)d->np.original, .function = function, .point = POINT_BEFORE, .is_probe = true };
        iargs_parse(&p, ap);
        if (!p.has_prototype)
            api_fatal("%s: IARG_PROTOTYPE is missing", function);
        d->np.replacement = iargs_call(&p, fun, 0, NULL);
        d->np.returns_float = p.returns_float;
        look_at(d, d->np.replacement);
        d->np.uses_vectors |= p.returns_float;
        original = replace(d, STUB_SIGNATURE, NULL);
    }
    client_unlock();
    return original;
}

AFUNPTR RTN_ReplaceSignatureProbedEx(RTN rtn, PROBE_MODE mode, AFUNPTR fun, ...)
{
    va_list ap;
    va_start(ap, fun);
    AFUNPTR original = replace_signature(rtn, mode, fun, ap);
    va_end(ap);
    return original;
}

AFUNPTR RTN_ReplaceSignatureProbed(RTN rtn, AFUNPTR fun, ...)
{
    va_list ap;
    va_start(ap, fun);
    AFUNPTR original = replace_signature(rtn, PROBE_MODE_DEFAULT, fun, ap);
    va_end(ap);
    return original;
}

/* ---- calls ---- */
static bool returns_twice(const char *name)
{
    static const char *const names[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__setjmp", "vfork", "__vfork",
                                         "getcontext", "__libc_vfork", "savectx" };
    for (u32 i = 0; i < ARRAY_LEN(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static bool add_call(struct probed *d, IPOINT action, struct call *c)
{
    look_at(d, c);
    native_add(action == IPOINT_AFTER ? &d->np.after : &d->np.before, c);
    return install(d);
}

static bool insert_call(const struct probe_site *s, IPOINT action, AFUNPTR fun, const char *function, va_list ap)
{
    struct iargs p = { .function = function, .order = CALL_ORDER_DEFAULT, .is_probe = true,
                       .point = action == IPOINT_AFTER ? POINT_AFTER : POINT_BEFORE };
    client_lock();
    struct probed *d = get(s);
    p.address = d ? (addr_t)d->np.original : s->at;
    iargs_parse(&p, ap);
    if (action == IPOINT_AFTER && !p.has_prototype)
        api_fatal("%s: IARG_PROTOTYPE is missing: IPOINT_AFTER needs it", function);
    bool ok = d && add_call(d, action, iargs_call(&p, fun, 0, NULL));
    client_unlock();
    return ok;
}

static bool insert_at_routine(RTN rtn, IPOINT action, PROBE_MODE mode, AFUNPTR fun, va_list ap)
{
    const char *function = "RTN_InsertCallProbed";
    must_be_probing(function);
    if (action != IPOINT_BEFORE && action != IPOINT_AFTER)
        api_fatal("%s: IPOINT_BEFORE and IPOINT_AFTER only", function);
    if (action == IPOINT_AFTER && returns_twice(RTN_Name(rtn))) {
        if (engine_handoff->opt.verbose)
            log_line("no probe behind %s: it returns twice", RTN_Name(rtn));
        return false;
    }
    struct probe_site s = site_of(rtn, mode);
    return insert_call(&s, action, fun, function, ap);
}

BOOL RTN_InsertCallProbed(RTN rtn, IPOINT action, AFUNPTR fun, ...)
{
    va_list ap;
    va_start(ap, fun);
    bool ok = insert_at_routine(rtn, action, PROBE_MODE_DEFAULT, fun, ap);
    va_end(ap);
    return ok;
}

BOOL RTN_InsertCallProbedEx(RTN rtn, IPOINT action, PROBE_MODE mode, AFUNPTR fun, ...)
{
    va_list ap;
    va_start(ap, fun);
    bool ok = insert_at_routine(rtn, action, mode, fun, ap);
    va_end(ap);
    return ok;
}

BOOL PIN_InsertCallProbed(ADDRINT at, AFUNPTR fun, ...)
{
    must_be_probing("PIN_InsertCallProbed");
    struct probe_site s = site_at(at);
    va_list ap;
    va_start(ap, fun);
    bool ok = insert_call(&s, IPOINT_BEFORE, fun, "PIN_InsertCallProbed", ap);
    va_end(ap);
    return ok;
}

/* ---- bare jumps ---- */
static bool is_of_tool(addr_t a) { return a >= engine_handoff->image_lo && a < engine_handoff->image_hi; }

static bool lead_to(const struct probe_site *s, addr_t to)
{
    client_lock();
    struct probed *d = get(s);
    bool ok = d && !d->replacement && !d->np.before && !d->np.after;
    if (ok) {
        d->replacement = is_of_tool(to) ? stub(d, STUB_JUMP, (const void *)to) : (const void *)to;
        ok = d->replacement && install(d);
        if (!ok)
            d->replacement = NULL;
    }
    client_unlock();
    return ok;
}

BOOL PIN_InsertProbe(ADDRINT from, ADDRINT to)
{
    must_be_probing("PIN_InsertProbe");
    struct probe_site s = site_at(from);
    s.flags = 0;
    return lead_to(&s, to);
}

BOOL PIN_RemoveProbe(ADDRINT from)
{
    must_be_probing("PIN_RemoveProbe");
    client_lock();
    struct probed *d = find(from);
    bool ok = d && probe_is_placed(d->probe);
    if (ok) {
        enum probe_reason why = probe_remove(d->probe);
        if (why)
            tell_refusal(from, why);
        ok = !why;
    }
    if (ok) {
        d->replacement = NULL;
        d->np.before = d->np.after = NULL;
    }
    client_unlock();
    return ok;
}

/* ---- for ourselves ---- */
struct call *probe_own_call(AFUNPTR fun)
{
    struct call *c = calloc(1, sizeof *c + sizeof *c->arg);
    c->fn = (const void *)fun;
    c->n_args = 1;
    c->arg[0] = (struct arg){ .kind = ARG_STACK_REF };
    c->order = CALL_ORDER_LAST;
    return c;
}

bool probe_call_before(addr_t at, size_t size, size_t room, AFUNPTR fun)
{
    struct probe_site s = { at, size, room, 0, NULL };
    struct probed *d = get(&s);
    return d && add_call(d, IPOINT_BEFORE, probe_own_call(fun));
}

const void *probe_wrap(addr_t at, size_t size, size_t room, const void *fun)
{
    struct probe_site s = { at, size, room, 0, NULL };
    struct probed *d = get(&s);
    const void *around = d && !d->is_wrapped ? stub(d, STUB_JUMP, fun) : NULL;
    if (around) {
        d->np.original = around;
        d->is_wrapped = true;
    }
    return d && d->is_wrapped && install(d) ? probe_original(d->probe) : NULL;
}

bool probe_lead_to(addr_t at, size_t size, size_t room, addr_t to)
{
    struct probe_site s = { at, size, room, 0, NULL };
    return lead_to(&s, to);
}

/* ---- the end ---- */
/* Threads that are in the tool come back through stubs, which stay. */
void probes_remove_all(void)
{
    for (struct probed *d = all; d; d = d->next) {
        enum probe_reason why = probe_remove(d->probe);
        if (why)
            tell_refusal(d->np.at, why);
        d->replacement = NULL;
        d->np.before = d->np.after = NULL;
    }
}

void probes_image_unloaded(struct image *m)
{
    for (struct probed **at = &all, *d; (d = *at);) {
        if (d->np.at >= m->low && d->np.at <= m->high)
            *at = d->next;                              /* the record stays: a stub may still name it */
        else
            at = &d->next;
    }
    probe_forget(m->low, m->high + 1);
    for (u32 i = 0; m->targets && i < sym_n_sections(m->sym); i++)
        if (m->targets[i])
            probe_targets_free(m->targets[i]);
    free(m->targets);
    m->targets = NULL;
}
