/* check.h: are these bytes of the heap the program's to read or write? */
#ifndef HEAPCHECK_CHECK_H
#define HEAPCHECK_CHECK_H

VOID check_begin(BOOL unset);                   /* in main(); unset: also watch reads of bytes that nobody has written */
/* A read or a write of n bytes by a function or a system call as a whole. Bytes that are not of the heap are fine. The first
 * bad one is reported. A write sets the bytes. */
enum {
    CHECK_READ,
    CHECK_WRITE,
    CHECK_SET,                                  /* a read of bytes that must have been written */
    CHECK_ROOM                                  /* for a write of as much or less: none is set yet */
};
VOID check_range(ADDRINT a, size_t n, UINT32 how, ADDRINT ip, ADDRINT sp, const char *by);
/* Code that may read more than it was given: a C library words and vectors; a static program may contain one and reads
 * vectors; the loader's string functions have no names, so it is trusted altogether. */
enum trust { TRUST_NONE, TRUST_VECTORS, TRUST_WORDS, TRUST_ALL };
enum trust check_trust(ADDRINT ip);
#endif
