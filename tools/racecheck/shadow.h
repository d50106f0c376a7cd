/* shadow.h: who touched a word of the program last. Words are 8 bytes; an access has a bit for each byte.
 *
 * A word remembers up to three accesses. When there are more, the oldest that cannot matter any more makes room, else any: then a
 * race may be missed, but none is invented. Bytes that an atomic instruction touched belong to a synchronisation object:
 * they have a clock, and no races. */
#ifndef RACECHECK_SHADOW_H
#define RACECHECK_SHADOW_H

struct trace_of { UINT32 time; UINT16 thread; UINT8 bytes, is_write; ADDRINT ip, caller; };
enum { REMEMBERED = 3 };
struct word { struct trace_of by[REMEMBERED]; struct clock *sync; UINT8 sync_bytes, n, next; };

/* Locked; not for more than one word at a time. */
struct word *shadow_take(ADDRINT a);
struct word *shadow_take_if_any(ADDRINT a);     /* NULL: nothing is known of it, and nothing is locked */
struct word *shadow_known(ADDRINT a);           /* NULL: nothing is known of it. Not locked. */
bool shadow_try(ADDRINT a);                     /* take the lock of a known word, if nobody has it */
VOID shadow_give(ADDRINT a);
/* The last three touch no vector register. */
VOID shadow_forget(ADDRINT a, size_t n);        /* memory that is new */
#endif
