/* events.h: what happens to the cache, for a tool that asked. Noted under the cache lock, told when no lock is held: the tool
 * may then do as it likes with the cache. */
#ifndef CACHE_EVENTS_H
#define CACHE_EVENTS_H
#include "base/types.h"

enum cache_event {
    CACHE_BLOCK,                /* a new block of `a` bytes */
    CACHE_FLUSHED,
    CACHE_LINKED,               /* the branch at a to the trace at b */
    CACHE_UNLINKED,             /* the branch at a to its stub at b */
    CACHE_INVALIDATED,          /* the trace of application address a, at b */
    CACHE_CHANGED,              /* application code [a, b) had been translated and is another one now */
};
extern u32 cache_events_wanted;                 /* a bit for each */

void cache_note(enum cache_event e, u64 a, u64 b);
bool cache_has_news(void);
void cache_tell(void);                          /* calls hooks.cache_event for each that was noted; no lock held */
#endif
