/* lock.h: a futex mutex. No engine lock is held while application code or an analysis routine runs. */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H
#include "base/types.h"

struct lock { u32 word; };      /* 0 free, 1 held, 2 held and somebody waits */

void lock_take(struct lock *l);
void lock_drop(struct lock *l);
static inline void lock_reset(struct lock *l) { l->word = 0; }   /* in the only thread of a forked child */
#endif
