/* native.c: the beginning of probe mode. */
#include "engine/native.h"
#include "arch/arch.h"
#include "base/heap.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/jit/instrument.h"
#include "engine/log.h"
#include "engine/report.h"
#include "engine/thread.h"

static bool is_on;

bool native_is_on(void) { return is_on; }

void native_start(struct handoff *h)
{
    is_on = true;
    h->is_native = 1;
    engine_handoff = h;
    opt = &h->opt;
    heap_init(PRIV_HEAP, PRIV_HEAP_END);
    report_init();
    arch_native_init();
    log_init();
    thr_init_main(sys_gettid());
    native_threads_init();
    arch_native_mirror();
}

void native_run(void)
{
    arch_native_enter(&engine_handoff->regs);
}

void native_end_helper(void)
{
    static u32 unused;
    __atomic_store_n(&engine_handoff->attach_state, ATTACH_NATIVE, __ATOMIC_RELEASE);
    arch_thread_end(&unused, 0);
}

/* Behind those of the same order. Readers see the list with or without it. */
void native_add(struct call **list, struct call *c)
{
    while (*list && (*list)->order <= c->order)
        list = &(*list)->next;
    c->next = *list;
    __atomic_store_n(list, c, __ATOMIC_RELEASE);
}
