/* start.c: from the hand-off to the first application instruction. */
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/attach.h"
#include "engine/emulate/detach.h"
#include "engine/emulate/helper.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/syscall.h"
#include "engine/emulate/tracer.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/log.h"
#include "engine/report.h"
#include "engine/stats.h"

struct handoff_options *opt;
struct handoff *engine_handoff;

void engine_start(struct handoff *h)
{
    struct thread *t = &thr_self;
    engine_handoff = h;
    opt = &h->opt;
    heap_init(PRIV_HEAP, PRIV_HEAP_END);
    report_init();
    stats_family_init();
    arch_init();
    log_init();
    cache_init();
    syscall_init();
    if (h->mode == HANDOFF_ATTACH)
        attach_process(t, h);
    thr_init_main(sys_gettid());
    mem_init();
    t->arch.engine_sp = ROUND_DOWN((addr_t)__builtin_frame_address(0) - 512, 64ul);
    arch_stack_init(&t->arch);
    sig_init(t);
    tracer_init(h->mode == HANDOFF_LAUNCH);
    detach_init(NULL);
    arch_start_registers(t, &h->regs);
    hook_start(t);
    helper_reap();
    stats_phase(PHASE_VM);
    arch_enter_first(t);
}
