/* stop.h: all other threads at rest: for the end of the process, and for tools that ask for it. */
#ifndef EMULATE_STOP_H
#define EMULATE_STOP_H
#include "engine/thread.h"

/* Stop every other thread between two of its instructions. No lock may be held. False: somebody else is stopping the
 * caller, or the others do not come to rest in time. */
bool stop_others(struct thread *me);
void stop_resume(struct thread *me);
/* While the caller holds the others, this one may go on, or not any more: then stop_others again. */
void stop_spare(struct thread *t, bool yes);
void stop_wait_for_vforks(void);                    /* from now on a vfork child does not count as its parent at rest */
bool stop_holds(struct thread *t);                  /* somebody else wants t to stay at rest */
void stop_take_over(u32 dead);                      /* a killed vfork child had stopped the others: they may go on */
void stop_forked(void);                             /* in the only thread of a forked child */

/* Called by the dispatcher when stop_holds(t): stay here until it does not. */
void stop_point(struct thread *t);
/* Around whatever may block in the kernel: the thread counts as stopped meanwhile. */
void stop_safe_begin(struct thread *t);
void stop_safe_end(struct thread *t);

/* The signal that calls a thread out of the cache. True: this is it. */
bool stop_is_call(int sig, const struct k_siginfo *info);
void stop_call(struct thread *t);                   /* send it */
#endif
