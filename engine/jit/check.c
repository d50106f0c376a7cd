/* check.c: --check-state. In front of every instruction emitted code stops twice (arch_emit_check):
 *
 *   found   with the registers as the CPU has them. What would a signal here make of them? The trace's map and
 *           arch_unspill say, as in emulate/handler.c.
 *   seen    with the registers as an analysis call with a full context sees them, by the rules of the bridge.
 *
 * The two know nothing of each other. They must be equal: pc, registers, flags. */
#include "arch/arch.h"
#include "base/panic.h"
#include "engine/cache/cache.h"
#include "engine/stats.h"
#include "engine/thread.h"

static __thread struct arch_regs found;

void check_found(addr_t code, struct arch_regs *raw)
{
    struct place at;
    ct_assert(cache_locate(code, &at) && at.at_start, "--check-state: no signal could be delivered at %lx", code);
    arch_unspill(raw, &thr_self.arch, at.restore, at.parked, true);
    arch_set_pc(raw, at.pc);
    found = *raw;
}

void check_seen(const struct arch_regs *seen)
{
    struct arch_difference d;
    stats.checked++;
    if (arch_differ(&found, seen, &d))
        ct_fatal("--check-state: at 0x%lx a signal would find %s 0x%lx, an analysis call sees 0x%lx", arch_pc(seen), d.name, d.a, d.b);
}
