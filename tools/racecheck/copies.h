/* copies.h: memcpy, memmove, memset and their kin when the program calls them: what they read and write counts as the caller's
 * accesses, since those of the C library are not looked at one by one. */
#ifndef RACECHECK_COPIES_H
#define RACECHECK_COPIES_H

VOID copies_begin(VOID (*copied)(ADDRINT to, ADDRINT from, ADDRINT n, ADDRINT caller, ADDRINT sp));    /* from: 0 for memset */
VOID copies_watch(IMG img);                     /* in the image callback */
VOID copies_look(INS ins);                      /* in the instruction callback, when there are threads */
#endif
