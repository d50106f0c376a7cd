/* probe_start.c: the beginning of probe mode, and its end before the program's. */
#include "api/probe.h"
#include "base/sys.h"
#include "loader/rt.h"
#include <stdlib.h>

/* ---- the planted ELF's thread pointer ---- */
static bool protect(const struct sym_section *s, int prot)
{
    addr_t lo = ROUND_DOWN(s->address, PAGE_SIZE), hi = ROUND_UP(s->address + s->size, PAGE_SIZE);
    return !sys_failed(sys3(__NR_mprotect, lo, hi - lo, prot));
}

static void convert(const struct handoff *h)
{
    struct sym_image *own = sym_open(h->tool_path, h->image_lo, 0, SYM_NO_SYMBOLS);
    u32 n = 0;
    for (u32 i = 0; own && i < sym_n_sections(own); i++) {
        const struct sym_section *s = sym_section(own, i);
        if (!s->is_executable || !s->is_mapped || !s->size)
            continue;
        if (!protect(s, K_PROT_READ | K_PROT_WRITE | K_PROT_EXEC))
            api_fatal("PIN_StartProgramProbed: the tool's own code cannot be made writable (SELinux?)");
        n += arch_native_convert(s->address, s->address + s->size);
        protect(s, K_PROT_READ | K_PROT_EXEC);
    }
    if (!n)
        api_fatal("PIN_StartProgramProbed: %s cannot be read", h->tool_path);
    sym_close(own);
}

/* What the tool or the user counts on in vain is said, once. */
static void tell_limits(const struct handoff *h)
{
    static const struct { enum callback_kind kind; const char *what; } unused[] = {
        { CB_INS, "instructions" }, { CB_TRACE, "traces" }, { CB_FINI, "Fini" }, { CB_THREAD_START, "threads" },
        { CB_THREAD_FINI, "threads' ends" }, { CB_SYSCALL_ENTRY, "system calls" }, { CB_SYSCALL_EXIT, "system calls' ends" },
        { CB_CONTEXT_CHANGE, "signals" },
    };
    if (h->opt.quiet)
        return;
    for (u32 i = 0; i < ARRAY_LEN(unused); i++)
        if (callbacks[unused[i].kind])
            fprintf(stderr, "cotter: probe mode: the tool's callbacks for %s are never called\n", unused[i].what);
}

/* ---- leaving, coming back ---- */
static bool is_detached, is_leaving;

VOID PIN_DetachProbed(VOID)
{
    if (!native_is_on())
        return;
    client_lock();
    bool is_mine = !is_detached && !is_leaving;
    is_leaving |= is_mine;
    client_unlock();
    if (!is_mine)
        return;
    probes_tell_detach();
    client_lock();
    if (is_leaving) {
        is_leaving = false;
        is_detached = true;
        probes_remove_all();
        FOR_EACH_CALLBACK(c, CB_DETACH_PROBED)
            c->plain(c->val);
    }
    client_unlock();
}

/* For good, at a launcher's command: the tool's exit handlers report, as they do at the end of the program. */
static void leave(void)
{
    PIN_DetachProbed();
    rt_exit_flush();
}

/* ---- the start ---- */
VOID PIN_StartProgramProbed(VOID)
{
    struct handoff *h = rt_handoff();
    if (!h)
        api_fatal("PIN_StartProgramProbed: call PIN_Init first");
    tell_limits(h);
    rt_init();
    native_start(h);
    convert(h);
    if (h->mode == HANDOFF_ATTACH)
        probes_start_running(true);
    images_start();
    internal_start();
    client_lock();
    FOR_EACH_CALLBACK(c, CB_APP_START)
        c->plain(c->val);
    client_unlock();
    probes_start_running(false);
    native_may_leave(leave);
    if (h->mode == HANDOFF_ATTACH) {
        probes_tell_attach();
        native_end_helper();
    }
    native_run();
}

PIN_CALLBACK PIN_AddDetachFunctionProbed(DETACH_PROBED_CALLBACK fun, VOID *val)
{
    return callback_add(CB_DETACH_PROBED, fun, val);
}

ATTACH_STATUS PIN_AttachProbed(ATTACH_PROBED_CALLBACK fun, VOID *val)
{
    client_lock();
    bool can = is_detached;
    if (can) {
        is_detached = false;
        for (u32 k = 0; k < N_CALLBACKS; k++)
            callbacks[k] = NULL;                        /* `fun` registers what it wants */
        fun(val);
        images_tell_again();
        images_refresh();
    }
    client_unlock();
    if (can)
        probes_tell_attach();
    return can ? ATTACH_INITIATED : ATTACH_FAILED_DETACH;
}
