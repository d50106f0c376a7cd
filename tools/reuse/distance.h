/* distance.h: reuse distances: how many different lines were touched since the last touch of a line. That is the size, in
 * lines, that a fully associative LRU cache must exceed for the access to hit.
 *
 * The lines touched last are in a short list, newest first: a line's place there is its distance. Each line that has fallen off
 * its end is marked at the time when it did; its distance is the list's length and the number of marks since (a Fenwick tree
 * adds them up). When time has run out, the marks are moved together in their order. */
#ifndef REUSE_DISTANCE_H
#define REUSE_DISTANCE_H
#define DISTANCE_NEW (~(UINT64)0)
UINT64 distance_touch(UINT64 line);             /* DISTANCE_NEW for the first touch */
/* The same for a line in the list; else DISTANCE_NEW, and nothing is done. Touches no vector register. */
UINT64 distance_again(UINT64 line);
UINT64 distance_lines(VOID);                    /* different lines so far */
#endif
