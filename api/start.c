/* start.c: the beginning and the end of a run. */
#include "api/buffer.h"
#include "api/debugger.h"
#include "api/iarg.h"
#include "api/image.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/process.h"
#include "engine/emulate/stop.h"
#include "engine/engine.h"
#include "engine/native.h"
#include "loader/rt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_exiting;

/* ---- beginning ---- */
static NORETURN void refuse_alone(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool is_bundled = strstr(path, "/lib/cotter/tools/");
    fprintf(stderr, "cotter: %s is a tool and wants a program behind --, as in cotter %s %s -- PROGRAM\n", name,
            is_bundled ? "run" : "-t", is_bundled ? name : path);
    exit(125);
}

BOOL PIN_Init(INT32 argc, CHAR **argv)
{
    if (!rt_handoff()) {
        if (knob_help(argc, argv))
            return TRUE;
        refuse_alone(argv[0]);
    }
    streams_init();
    return knob_parse(argc, argv);
}

static void application_starts(struct thread *t)
{
    if (!PIN_IsAttaching())                         /* else by the first thread that is attached to */
        signals_start(t);
    images_start();
    internal_start();
    codecache_begins();
    client_lock();
    FOR_EACH_CALLBACK(c, CB_APP_START)
        c->plain(c->val);
    client_unlock();
}

static void finish(int status);

static void set_hooks(void)
{
    if (callbacks[CB_INS] || callbacks[CB_TRACE])
        code_start_instrumenting();
    codecache_start();
    hooks.argument = hook_value;
    hooks.record_size = buffer_record_size;
    hooks.buffer_full = buffer_is_full;
    hooks.start = application_starts;
    hooks.thread_start = thread_begins;
    hooks.thread_attach = thread_attaches;
    hooks.thread_fini = thread_ends;
    hooks.fini = finish;
    hooks.signal = signal_comes;
    hooks.fork = process_forks;
    hooks.detach = process_detaches;
    if (callbacks[CB_FOLLOW_CHILD])
        hooks.follow = process_follows;
    hooks.tool_fault = tool_faults;
    hooks.mapped = image_mapped;
    hooks.unmapped = image_unmapped;
    if (callbacks[CB_SYSCALL_ENTRY])
        hooks.syscall_entry = syscall_begins;
    if (callbacks[CB_SYSCALL_EXIT])
        hooks.syscall_exit = syscall_ends;
    if (callbacks[CB_INTERRUPTION])
        hooks.interrupted = thread_interrupted;
    if (callbacks[CB_CONTEXT_CHANGE])
        hooks.context_change = context_changes;
}

VOID COTTER_StartProgram(PIN_CONFIGURATION_INFO options)
{
    if (!rt_handoff())
        api_fatal("PIN_StartProgram: call PIN_Init first");
    if (engine_handoff)
        api_misuse("PIN_StartProgram: the program runs already: call it once, at the end of main");
    set_hooks();
    debug_start();
    rt_init();
    engine_start(rt_handoff());
}

VOID PIN_StartProgram(VOID) { COTTER_StartProgram(NULL); }

PIN_CALLBACK PIN_AddApplicationStartFunction(APPLICATION_START_CALLBACK f, VOID *v) { return callback_add(CB_APP_START, f, v); }
BOOL PIN_IsAttaching(VOID) { return rt_handoff()->mode == HANDOFF_ATTACH; }
BOOL PIN_IsProbeMode(VOID) { return native_is_on() || (rt_handoff() && rt_handoff()->opt.probe); }
UINT32 PIN_GetInitialThreadCount(VOID) { return PIN_IsAttaching() ? rt_handoff()->n_threads : 1; }
const CHAR *PIN_ToolFullPath(VOID) { return rt_handoff()->tool_path; }
const CHAR *COTTER_ProgramPath(VOID) { return rt_handoff()->program; }
BOOL COTTER_IsQuiet(VOID) { return rt_handoff()->opt.quiet != 0; }
const CHAR *PIN_VmFullPath(VOID) { return rt_handoff()->launcher_path; }
const char *PIN_Version(VOID) { return "Cotter 0.1.0"; }

BOOL PIN_WasMemoryReservedInLoadTime(VOID) { return rt_handoff() != NULL; }

BOOL PIN_IsAmxActive(THREADID tid)
{
    if (tid != INVALID_THREADID && tid != PIN_ThreadId())
        api_fatal("PIN_IsAmxActive: of the calling thread only");
    return arch_uses_tiles();
}

CHAR *CreateTmpFileName(const CHAR *pattern, UINT32 size)
{
    size_t n = strnlen(pattern, size), has = n >= 6 && !memcmp(pattern + n - 6, "XXXXXX", 6) ? 0 : 7;
    CHAR *name = malloc(n + has + 1);
    snprintf(name, n + has + 1, "%.*s%s", (int)n, pattern, has ? ".XXXXXX" : "");
    int fd = mkstemp(name);
    if (fd < 0) {
        free(name);
        return NULL;
    }
    close(fd);
    return name;
}

/* The kernel's copy: it is the same whether the program was started or attached to. */
ADDRINT PIN_GetAuxVectorValue(ADDRINT type, BOOL *found)
{
    u64 pair[2];
    FILE *f = fopen("/proc/thread-self/auxv", "re");
    *found = FALSE;
    while (f && !*found && fread(pair, sizeof pair, 1, f) == 1)
        *found = pair[0] == type && type;
    if (f)
        fclose(f);
    return *found ? pair[1] : 0;
}

/* ---- callbacks that run alone ---- */
static u32 concurrent;                              /* PIN_CALLBACK_TYPE that needs no lock */

PIN_CONFIGURATION_INFO PIN_CreateDefaultConfigurationInfo(VOID) { return &concurrent; }

VOID PIN_SetAllowedConcurrentCallbacks(PIN_CONFIGURATION_INFO options, PIN_CALLBACK_TYPE type)
{
    if (options == &concurrent)
        concurrent = type;
}

bool may_run_at_once(PIN_CALLBACK_TYPE type) { return concurrent == type; }

/* ---- end ---- */
PIN_CALLBACK PIN_AddFiniFunction(FINI_CALLBACK f, VOID *v) { return callback_add(CB_FINI, f, v); }
PIN_CALLBACK PIN_AddPrepareForFiniFunction(PREPARE_FOR_FINI_CALLBACK f, VOID *v) { return callback_add(CB_PREPARE_FINI, f, v); }
PIN_CALLBACK PIN_AddFiniUnlockedFunction(FINI_CALLBACK f, VOID *v) { return callback_add(CB_FINI_UNLOCKED, f, v); }
VOID PIN_RemoveFiniFunctions(VOID) { callbacks[CB_FINI] = NULL; }
BOOL PIN_IsProcessExiting(VOID) { return is_exiting; }

static void finish(int status)
{
    is_exiting = true;
    FOR_EACH_CALLBACK(c, CB_PREPARE_FINI)
        c->plain(c->val);
    FOR_EACH_CALLBACK(c, CB_FINI_UNLOCKED)
        c->fini(status, c->val);
    stop_others(&thr_self);
    client_lock();
    thread_all_end(status);
    images_end();
    FOR_EACH_CALLBACK(c, CB_FINI)
        c->fini(status, c->val);
    client_unlock();
    debug_ends(status);
    is_exiting = false;                             /* an exec that fails goes on */
}

VOID PIN_ExitApplication(INT32 status)
{
    not_in_probe_mode("PIN_ExitApplication");
    if (code_is_shown())
        cache_lock_drop();
    client_lock_release_all();
    proc_exit(status);
}

/* What the tool has printed shall be seen, unless some thread is in the middle of printing. */
VOID PIN_ExitProcess(INT32 code)
{
    if (!ftrylockfile(stdout))
        fflush_unlocked(stdout);
    for (;;)
        sys1(__NR_exit_group, code);
}
