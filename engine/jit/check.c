/* check.c: see check.h. */
#include "engine/jit/check.h"
#include "base/panic.h"
#include "engine/cache/cache.h"
#include "engine/stats.h"
#include "engine/thread.h"

static __thread struct arch_regs found;

void check_found(addr_t code, struct arch_regs *raw)
{
    struct place at;
    ct_assert(cache_locate(code, &at) && at.at_start, "--check-state: no signal could be delivered at %lx", code);
    arch_unspill(raw, &thr_self.arch, at.restore, true);
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
