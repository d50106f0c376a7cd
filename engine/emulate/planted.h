/* planted.h: breakpoints that a debugger outside has written into the program's code.
 *
 * The debugger would look for the program at the breakpoint's address, and it is in the code cache. A breakpoint that is compiled
 * with the program ends it as soon as the debugger passes the signal on. So it is left out, and a line says so. */
#ifndef EMULATE_PLANTED_H
#define EMULATE_PLANTED_H
#include "base/types.h"

/* The n bytes at pc are a trap. A tracer is there, and the file that is mapped at pc has others: those. False: the trap is the
 * program's own. */
bool planted_over(addr_t pc, const u8 *now, u8 *original, u32 n);
#endif
