/* process.c: fork, detach. */
#include "api/api.h"
#include "base/sys.h"
#include "engine/emulate/detach.h"

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
        thread_only_survivor(t);
    if (when != FORK_BEFORE)
        client_unlock();
}

/* ---- detach ---- */
PIN_CALLBACK PIN_AddDetachFunction(DETACH_CALLBACK f, VOID *v) { return callback_add(CB_DETACH, f, v); }
VOID PIN_Detach(VOID) { detach_request(); }

void process_detaches(void)
{
    client_lock();
    FOR_EACH_CALLBACK(c, CB_DETACH)
        c->plain(c->val);
    client_unlock();
}
