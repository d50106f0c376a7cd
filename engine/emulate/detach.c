/* detach.c: see detach.h. The first thread that comes to the dispatcher stops the others, tells the tool, and gives back
 * what the engine changed: watched pages, signal actions. Then each thread leaves with its own registers; a thread that is
 * in the kernel leaves when it comes back from there. */
#include "engine/emulate/detach.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/emulate/stop.h"
#include "engine/hooks.h"

enum { NOT_WANTED, WANTED, UNDER_WAY, DONE };
static u32 state;

void detach_request(void)
{
    u32 none = NOT_WANTED;
    if (__atomic_compare_exchange_n(&state, &none, WANTED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        thr_self.arch.pending = 1;              /* the calling thread comes to the dispatcher as for a signal */
}

bool detach_is_due(void) { return UNLIKELY(__atomic_load_n(&state, __ATOMIC_ACQUIRE) != NOT_WANTED); }

static void give_back(struct thread *t)
{
    stop_others(t);
    hook_detach();
    smc_unwatch_all();
    sig_process_release(t->proc);
    __atomic_store_n(&state, DONE, __ATOMIC_RELEASE);
    stop_resume(t);
}

void detach_perform(struct thread *t)
{
    u32 wanted = WANTED;
    if (__atomic_compare_exchange_n(&state, &wanted, UNDER_WAY, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        give_back(t);
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == DONE)
        arch_go_native(t);
}
