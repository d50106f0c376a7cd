/* probe_watch.c: what we want to know of a natively running program ourselves, by probes of our own:
 *   the dynamic loader's _dl_debug_state, which it calls for debuggers when libraries come and go;
 *   _exit, so that the tool's exit handlers run;
 *   fork and vfork, if the tool wants to know. */
#include "api/probe.h"
#include "loader/rt.h"
#include <string.h>

static const struct sym_routine *routine_of(struct sym_image *sym, const char *name)
{
    return sym ? sym_routine_by_name(sym, name) : NULL;
}

static bool call_before(struct sym_image *sym, const char *name, AFUNPTR fun)
{
    const struct sym_routine *r = routine_of(sym, name);
    return r && probe_call_before(r->address, r->size, r->range, fun);
}

/* ---- fork ---- */
static void fork_begins(void)
{
    client_lock();
    FOR_EACH_CALLBACK(c, CB_FORK_PROBED_BEFORE)
        c->fork_probed(0, c->val);
    client_unlock();
}

static void fork_ends(long result)
{
    client_lock();
    FOR_EACH_CALLBACK(c, result ? CB_FORK_PROBED_PARENT : CB_FORK_PROBED_CHILD)
        c->fork_probed(result > 0 ? (UINT32)result : 0, c->val);
    client_unlock();
}

static void watch_fork(struct sym_image *sym)
{
    const struct sym_routine *f = routine_of(sym, "fork"), *v = routine_of(sym, "vfork");
    if (!f || !(callbacks[CB_FORK_PROBED_BEFORE] || callbacks[CB_FORK_PROBED_PARENT] || callbacks[CB_FORK_PROBED_CHILD]))
        return;
    probe_call_before(f->address, f->size, f->range, (AFUNPTR)fork_begins);
    probe_call_after(f->address, f->size, f->range, (AFUNPTR)fork_ends);
    if (v)
        probe_lead_to(v->address, v->size, v->range, f->address);
}

PIN_CALLBACK PIN_AddForkFunctionProbed(FPOINT point, FORK_PROBE_MODE_CALLBACK fun, VOID *val)
{
    return callback_add((enum callback_kind)(CB_FORK_PROBED_BEFORE + point), fun, val);
}

/* ---- images ---- */
static bool is_libc(const struct image *m)
{
    const char *name = strrchr(m->path, '/');
    return name && (!strncmp(name, "/libc.", 6) || !strncmp(name, "/libc-", 6) || !strncmp(name, "/ld-musl", 8));
}

/* Without a callback of the tool's that is interested, its symbols need not be read for long: they have a table of their own. */
void probes_image_loaded(struct image *m)
{
    u32 flags = sym_flags(m->sym);
    bool is_static = flags & SYM_MAIN && sym_is_static(m->sym);
    if (!(flags & SYM_INTERP) && !is_libc(m) && !is_static)
        return;
    struct sym_image *own = sym_open(m->path, m->low, 0, is_static ? 0 : SYM_NO_SYMTAB);
    if (flags & SYM_INTERP && !call_before(own, "_dl_debug_state", (AFUNPTR)images_refresh))
        fprintf(stderr, "cotter: the dynamic loader does not tell of libraries: images loaded later are not seen\n");
    if (is_libc(m) || is_static) {
        call_before(own, "_exit", (AFUNPTR)rt_exit_flush);
        watch_fork(own);
    }
    if (own)
        sym_close(own);
}
