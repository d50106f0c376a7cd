/* flags.h: words that programs use as flags. An atomic store or load of the weaker kinds is an ordinary move in machine code, so
 * a flag that is used rightly looks like a race. What gives it away is its use: it is set to a constant, and what is read is
 * compared at once, and a branch decides; a value is never taken from it. So it is with the address of something (of the thread
 * that has a lock) that others compare with an address of their own. Such a pair of accesses is no race in itself. It
 * orders nothing either: what the flag is about must be ordered by something else, or is found to race. */
#ifndef RACECHECK_FLAGS_H
#define RACECHECK_FLAGS_H

VOID flags_note(TRACE trace);                   /* in the trace callback: what its instructions do, if they are some of these */
bool flags_are(ADDRINT ip, ADDRINT other, ADDRINT at);          /* one sets what the other only tests; at: the word */
#endif
