/* held.h: signals that came while the application blocks them, and that the kernel does not know to be pending.
 *
 * The signals that the CPU raises too are never blocked in the kernel while a thread is in the cache, since a fault would end
 * the process. One that is sent to a thread that blocks it is held for that thread; one that is sent to the process, for
 * all of them: whoever unblocks it or waits for it first gets it. In the kernel on the application's behalf a thread cannot
 * fault: in calls that may ask for signals they are blocked, and what is held is pending, so that sigtimedwait, signalfd and
 * the like get it. */
#ifndef EMULATE_HELD_H
#define EMULATE_HELD_H
#include "engine/thread.h"

void held_add(struct thread *t, u32 sig, const struct k_siginfo *info);      /* also from the signal handler */
bool held_take(struct thread *t, u64 set, struct k_siginfo *info);           /* one that is for t alone */
bool held_take_any(struct thread *t, u64 set, struct k_siginfo *info);       /* or for any thread */
bool held_release(struct thread *t, u64 mask);  /* make one that `mask` does not block pending; false: none */
void held_discard(struct thread *t, u32 sig);   /* it is ignored from now on */
/* t has added one that is for all: does another thread want it? In the dispatcher. */
void held_share(struct thread *t);
/* Around a system call of the application's. */
u64 held_lend(struct thread *t, long nr);
void held_lend_end(struct thread *t, u64 lent);
#endif
