/* clock.h: what happened before what. A thread's clock counts, for each thread, how far that thread's past belongs to its own.
 * Something a thread did at its time t happened before what this thread does now if t <= clock[that thread]. */
#ifndef RACECHECK_CLOCK_H
#define RACECHECK_CLOCK_H

enum { MAX_THREADS = 4096 };
struct clock { UINT32 n; UINT32 *time; };       /* threads from n on: 0 */

static inline UINT32 clock_of(const struct clock *c, UINT32 thread) { return thread < c->n ? c->time[thread] : 0; }
VOID clock_set(struct clock *c, UINT32 thread, UINT32 time);
VOID clock_join(struct clock *into, const struct clock *from);
#endif
