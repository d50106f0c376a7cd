/* probe_watch.c: what we want to know of a natively running program ourselves, by probes of our own:
 *   the dynamic loader's _dl_debug_state, which it calls for debuggers when libraries come and go;
 *   _exit, so that the tool's exit handlers run;
 *   what throws and catches exceptions, for calls behind routines;
 *   execve, if children are followed;
 *   fork, so that the tool's libc is right in the child; vfork, if the tool wants to know of forks. */
#include "api/probe.h"
#include "base/sys.h"
#include "engine/emulate/exec.h"
#include "engine/engine.h"
#include "loader/rt.h"
#include <string.h>

static const struct sym_routine *routine_of(struct sym_image *sym, const char *name)
{
    return sym ? sym_routine_by_name(sym, name) : NULL;
}

bool probe_call_before_named(struct sym_image *sym, const char *name, AFUNPTR fun)
{
    const struct sym_routine *r = routine_of(sym, name);
    return r && probe_call_before(r->address, r->size, r->range, fun);
}

/* ---- the end: not that of a vfork child, which shares the memory with its parent ---- */
static int pid;

static void process_ends(void)
{
    if (sys_getpid() == pid)
        rt_exit_flush();
}

/* ---- fork: inside the tool libc's own, so that its locks and the tool's fork handlers are right in the child ---- */
static int (*app_fork)(void);

static long call_app_fork(void *unused) { return app_fork(); }

static void tell_fork(enum callback_kind kind, long result)
{
    FOR_EACH_CALLBACK(c, kind)
        c->fork_probed(result > 0 ? (UINT32)result : 0, c->val);
}

static int fork_wrapper(void)
{
    client_lock();
    tell_fork(CB_FORK_PROBED_BEFORE, 0);
    long result = rt_fork(call_app_fork, NULL);
    if (result == 0) {
        pid = sys_getpid();
        native_forked();
        client_lock_forked();
    }
    tell_fork(result ? CB_FORK_PROBED_PARENT : CB_FORK_PROBED_CHILD, result);
    client_unlock();
    return (int)(result < 0 ? -1 : result);             /* the error number is in the application's own errno */
}

/* ---- exec: with -f the new program runs with the tool, too. In a vfork child, perhaps: nothing that is the parent's changes ---- */
static int (*app_execve)(const char *, char *const *, char *const *);

/* Nobody catches a fault for us here. */
static bool is_readable(const void *p)
{
    char byte;
    struct { void *at; size_t n; } to = { &byte, 1 }, from = { (void *)p, 1 };
    return sys6(__NR_process_vm_readv, sys_getpid(), &to, 1, &from, 1, 0) == 1;
}

static int exec_wrapper(const char *path, char *const *argv, char *const *envp)
{
    struct syscall_args a = { .nr = __NR_execve, .a = { (long)path, (long)argv, (long)envp } };
    struct exec_plan plan = { 0 };
    if (is_readable(path) && is_readable(argv))
        exec_decide(&a, &plan);
    if (plan.is_followed && process_follows(&plan.child))
        exec_perform(&a, &plan);
    return app_execve(path, argv, envp);
}

static void watch_exec(struct sym_image *sym)
{
    const struct sym_routine *r = opt->follow ? routine_of(sym, "execve") : NULL;
    const void *original = r ? probe_wrap(r->address, r->size, r->range, (const void *)exec_wrapper) : NULL;
    if (original)
        app_execve = (int (*)(const char *, char *const *, char *const *))original;
}

static bool is_wanted(void)
{
    return callbacks[CB_FORK_PROBED_BEFORE] || callbacks[CB_FORK_PROBED_PARENT] || callbacks[CB_FORK_PROBED_CHILD];
}

static void watch_fork(struct sym_image *sym)
{
    const struct sym_routine *f = routine_of(sym, "fork"), *v = routine_of(sym, "vfork");
    const void *original = f ? probe_wrap(f->address, f->size, f->range, (const void *)fork_wrapper) : NULL;
    if (original)
        app_fork = (int (*)(void))original;
    if (original && v && is_wanted())
        probe_lead_to(v->address, v->size, v->range, f->address);
}

PIN_CALLBACK PIN_AddForkFunctionProbed(FPOINT point, FORK_PROBE_MODE_CALLBACK fun, VOID *val)
{
    return callback_add((enum callback_kind)(CB_FORK_PROBED_BEFORE + point), fun, val);
}

/* ---- images ---- */
static bool is_named(const struct image *m, const char *name)
{
    const char *slash = strrchr(m->path, '/');
    return slash && !strncmp(slash + 1, name, strlen(name));
}

static bool unwinds(const struct image *m)
{
    return is_named(m, "libgcc_s") || is_named(m, "libstdc++") || is_named(m, "libc++");
}

static bool is_libc(const struct image *m)
{
    return is_named(m, "libc.") || is_named(m, "libc-") || is_named(m, "ld-musl");
}

/* Without a callback of the tool's that is interested, its symbols need not be read for long: they have a table of their own. */
void probes_image_loaded(struct image *m)
{
    u32 flags = sym_flags(m->sym);
    bool is_static = flags & SYM_MAIN && sym_is_static(m->sym);
    if (!(flags & SYM_INTERP) && !is_libc(m) && !is_static && !unwinds(m))
        return;
    struct sym_image *own = sym_open(m->path, m->low, 0, is_static ? 0 : SYM_NO_SYMTAB);
    if (flags & SYM_INTERP && !probe_call_before_named(own, "_dl_debug_state", (AFUNPTR)images_refresh))
        fprintf(stderr, "cotter: the dynamic loader does not tell of libraries: images loaded later are not seen\n");
    if (is_libc(m) || is_static) {
        pid = sys_getpid();
        probe_call_before_named(own, "_exit", (AFUNPTR)process_ends);
        watch_fork(own);
        watch_exec(own);
    }
    if (is_static || unwinds(m))
        probes_watch_unwinding(own);
    if (own)
        sym_close(own);
}
