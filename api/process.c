/* process.c: fork, exec, detach. */
#include "api/debugger.h"
#include "base/sys.h"
#include "engine/emulate/detach.h"
#include <stdlib.h>
#include <string.h>

PIN_CALLBACK PIN_AddForkFunction(FPOINT point, FORK_CALLBACK f, VOID *v)
{
    return callback_add((enum callback_kind)(CB_FORK_BEFORE + point), f, v);
}

/* The client lock is held across the fork, so that the child does not inherit a half-changed state. */
void process_forks(struct thread *t, int when)
{
    CONTEXT c;
    if (when == FORK_BEFORE)
        client_lock();
    else if (when == FORK_CHILD)
        client_lock_forked();
    context_take(&c, t, true);
    FOR_EACH_CALLBACK(k, CB_FORK_BEFORE + when)
        k->fork(t->index, &c, k->val);
    if (when == FORK_CHILD)
        thread_only_survivor(t), debug_forked();
    if (when != FORK_BEFORE)
        client_unlock();
}

/* ---- detach ---- */
PIN_CALLBACK PIN_AddDetachFunction(DETACH_CALLBACK f, VOID *v) { return callback_add(CB_DETACH, f, v); }
VOID PIN_Detach(VOID)
{
    not_in_probe_mode("PIN_Detach");
    detach_request();
}

bool process_detaches(void)
{
    client_lock();
    thread_all_detach();
    FOR_EACH_CALLBACK(c, CB_DETACH)
        c->plain(c->val);
    client_unlock();
    return callbacks[CB_DETACH] != NULL;
}

/* ---- exec ---- */
PIN_CALLBACK PIN_AddFollowChildProcessFunction(FOLLOW_CHILD_PROCESS_CALLBACK f, VOID *v)
{
    callbacks[CB_FOLLOW_CHILD] = NULL;              /* there is one */
    return callback_add(CB_FOLLOW_CHILD, f, v);
}

bool process_follows(struct exec_child *c)
{
    bool yes = true;
    client_lock();
    FOR_EACH_CALLBACK(k, CB_FOLLOW_CHILD)
        yes = k->follow(c, k->val);
    client_unlock();
    return yes;
}

OS_PROCESS_ID CHILD_PROCESS_GetId(CHILD_PROCESS child) { return (OS_PROCESS_ID)sys_getpid(); }

VOID CHILD_PROCESS_GetCommandLine(CHILD_PROCESS child, INT *argc, const CHAR *const **argv)
{
    struct exec_child *c = child;
    *argc = (INT)c->argc;
    *argv = (const CHAR *const *)c->argv;
}

/* The strings are kept: the callback's own may be gone when the exec happens. */
VOID CHILD_PROCESS_SetPinCommandLine(CHILD_PROCESS child, INT argc, const CHAR *const *argv)
{
    struct exec_child *c = child;
    const char **copy = calloc((size_t)argc + 1, sizeof *copy);
    for (INT i = 0; i < argc; i++)
        copy[i] = strdup(argv[i]);
    c->command = copy;
    c->n_command = argc;
}
