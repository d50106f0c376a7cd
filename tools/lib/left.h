/* left.h: blocks that a thread leaves in the middle, by a fault or a signal, for tools that count a block as a whole when it
 * begins: they are told which of its instructions were not executed, one that faults included. */
#ifndef TOOLS_LEFT_H
#define TOOLS_LEFT_H

/* In main(), after tool_begin. not_executed(): the instructions of the block from number `first` on were not; on the thread,
 * one at a time, with no other lock held. owner: as given for the block. Two such may be told. */
VOID left_begin(VOID (*not_executed)(VOID *owner, UINT32 first));
/* In a trace callback, for each block that is counted, by a call IPOINT_BEFORE: one that may stand anywhere may not have been
 * made yet, unless it does nothing but add a constant to a word at a constant place. */
VOID left_note(TRACE trace, BBL bbl, VOID *owner);
#endif
