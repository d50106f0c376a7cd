/* distance.h: reuse distances: how many different lines were touched since the last touch of a line. That is the size, in
 * lines, that a fully associative LRU cache must exceed for the access to hit.
 *
 * Each line is marked at the time of its last touch; the distance is the number of marks since (a Fenwick tree adds them up).
 * When time has run out, the marks are moved together in their order. */
#ifndef REUSE_DISTANCE_H
#define REUSE_DISTANCE_H
#define DISTANCE_NEW (~(UINT64)0)
UINT64 distance_touch(UINT64 line);             /* DISTANCE_NEW for the first touch */
/* The same for a line that was touched before, as long as there is room; else DISTANCE_NEW, and nothing is done. Touches no
 * vector register. */
UINT64 distance_again(UINT64 line);
UINT64 distance_lines(VOID);                    /* different lines so far */
#endif
