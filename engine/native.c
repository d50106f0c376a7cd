/* native.c: the beginning of probe mode. */
#include "engine/native.h"
#include "arch/arch.h"
#include "base/heap.h"
#include "base/sys.h"
#include "engine/emulate/helper.h"
#include "engine/engine.h"
#include "engine/jit/instrument.h"
#include "engine/log.h"
#include "engine/report.h"
#include "engine/stats.h"
#include "engine/thread.h"
#include "loader/rt.h"
#include "probe/probe.h"

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
    stats_family_init();
    arch_native_mirror();
}

void native_run(void)
{
    helper_reap();
    arch_native_enter(&engine_handoff->regs);
}

/* ---- the end, when a launcher asks for it ----
 * The launcher makes the thread, and takes the memory away when it has ended. If the launcher dies, the memory stays. */
enum { FERRY_STACK = 1 << 18 };
static void (*leave)(void);

void native_may_leave(void (*f)(void))
{
    struct thread *t = native_thread_new();
    leave = f;
    t->arch.engine_sp = (u64)heap_pages(FERRY_STACK) + FERRY_STACK - 64;
    arch_ferry_registers(t, &engine_handoff->ferry);
    engine_handoff->ferry.gs_base = engine_handoff->ferry.fs_base;      /* where the tool's data is looked for in probe mode */
    __atomic_store_n(&engine_handoff->may_leave, 1, __ATOMIC_RELEASE);
}

static void list_leftovers(struct handoff *h)
{
    _Static_assert(sizeof(struct probe_block) == sizeof(struct handoff_near), "");
    h->near = (u64)probe_blocks(&h->n_near);
    native_tell_returns(h);
}

void native_ferry(struct thread *me)
{
    struct handoff *h = engine_handoff;
    u32 none = DETACH_NONE, unused;
    me->tid = sys_gettid();
    rt_thread_enter(me->rt, me->tid);
    if (__atomic_compare_exchange_n(&h->detach_state, &none, DETACH_ASKED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        leave();
        list_leftovers(h);
        __atomic_store_n(&h->detach_state, DETACH_ALONE, __ATOMIC_RELEASE);
    }
    arch_thread_end(&unused, 0);
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
