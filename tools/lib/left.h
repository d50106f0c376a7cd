/* left.h: blocks that a fault makes a thread leave in the middle, for tools that count a block as a whole when it begins: they
 * are told how many of its instructions were not executed, the one that faults included. */
#ifndef TOOLS_LEFT_H
#define TOOLS_LEFT_H

/* In main(), after tool_begin. not_executed() runs on the thread, one at a time; owner: as given for the block. */
VOID left_begin(VOID (*not_executed)(VOID *owner, UINT32 n));
VOID left_note(BBL bbl, VOID *owner);           /* in a trace callback, for each block that is counted */
#endif
