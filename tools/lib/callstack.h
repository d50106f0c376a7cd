/* callstack.h: who called whom, on each thread, without frame pointers and without unwind tables.
 *
 * Every call instruction notes the stack pointer and its own address. A note is stale as soon as the stack pointer is at
 * or above it; stale notes are dropped at the next call. So returns need no instrumentation, and longjmp and exceptions
 * are right by themselves. A thread that changes to a stack at a higher address loses the notes of the old one. */
#ifndef TOOLS_CALLSTACK_H
#define TOOLS_CALLSTACK_H

enum { CALLSTACK_DEEPEST = 1 << 20, CALLSTACK_KEPT = 24 };

/* A stack that was seen, kept for ever, each once: addresses of the instruction and of the calls that led to it. */
struct callstack { struct callstack *next; UINT32 n; ADDRINT at[]; };

VOID callstack_watch(VOID);                     /* in main(), after tool_begin */
/* From analysis routines: the stack at instruction ip with stack pointer sp. For routines that run in the place of a
 * function (its entry) give ip 0: the stack begins with the call. */
const struct callstack *callstack_here(ADDRINT ip, ADDRINT sp);
ADDRINT callstack_caller(ADDRINT sp);           /* the innermost call alone: cheap; 0: none */
/* The whole stack at sp, innermost call first, with the stack pointer before each call; at most max of them. */
struct callstack_frame { ADDRINT sp, call; };
UINT32 callstack_frames(ADDRINT sp, struct callstack_frame *to, UINT32 max);
/* In the report: one line per frame, routine, source and image, each begun with `indent`. */
VOID callstack_print(FILE *to, const struct callstack *s, const char *indent);
VOID callstack_json(struct json *j, const char *key, const struct callstack *s);
/* Does the frame's text (routine or image) match the pattern? For suppressions. */
BOOL callstack_matches(const struct callstack *s, UINT32 frame, const char *pattern);
#endif
