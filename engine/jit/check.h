/* check.h: --check-state. In front of every instruction emitted code stops twice:
 *
 *   found   with the registers as the CPU has them. What would a signal here make of them? The trace's map and
 *           arch_unspill say, as in emulate/handler.c.
 *   seen    with the registers as an analysis call with a full context sees them, by the rules of the bridge.
 *
 * The two know nothing of each other. They must be equal: pc, registers, flags. */
#ifndef JIT_CHECK_H
#define JIT_CHECK_H
#include "arch/arch.h"

void check_found(addr_t code, struct arch_regs *raw);    /* code: the cache address of the instruction's start */
void check_seen(const struct arch_regs *seen);           /* does not return if they differ */
#endif
