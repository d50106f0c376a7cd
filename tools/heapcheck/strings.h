/* strings.h: functions of the C library that work on strings and memory, checked as a whole when they are entered: what
 * they are told to read and write, not the vectors they do it with. */
#ifndef HEAPCHECK_STRINGS_H
#define HEAPCHECK_STRINGS_H
VOID strings_watch(IMG img);                    /* from an image callback */
VOID strings_begin(VOID);                       /* in main(), before check_begin */
#endif
