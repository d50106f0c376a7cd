/* lock.h: a futex mutex that names its owner, so that it can be taken over from a vfork child that was killed: the child
 * shared this memory, and nobody else would ever give it back. No engine lock is held while application code or an
 * analysis routine runs. */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H
#include "base/types.h"

struct lock { u32 word; };      /* 0: free; the kernel's id of its owner; | LOCK_WAITED: somebody waits */
enum { LOCK_WAITED = (int)0x80000000, LOCK_NAMELESS = 0x7fffffff };

void lock_take(struct lock *l);
void lock_drop(struct lock *l);
void lock_take_early(struct lock *l);       /* without a name: where there is no thread-local memory yet */
void lock_drop_early(struct lock *l);
static inline void lock_reset(struct lock *l) { l->word = 0; }   /* in the only thread of a forked child */

/* ---- after a vfork child, on the thread whose place it took ---- */
void lock_new_owner(u32 tid);               /* who runs on this thread's memory from now on */
bool lock_died_with(const struct lock *l, u32 tid);
void lock_inherit(struct lock *l);          /* it is this thread's now; to be dropped as usual */
void lock_wake_for(void);                   /* makes up for a wake-up that a killed child owed to others */
#endif
