/* races.h: what was found: two accesses to the same bytes, at least one of them a write, with nothing between that orders them. */
#ifndef RACECHECK_RACES_H
#define RACECHECK_RACES_H
VOID races_add(ADDRINT at, UINT32 size, const struct trace_of *before, UINT32 thread, bool is_write, const struct callstack *stack, ADDRINT ip);
VOID races_add_flag(ADDRINT a, ADDRINT b);         /* a pair of instructions that use a flag: counted, not told */
VOID races_forget(VOID);
VOID races_report(VOID);
#endif
