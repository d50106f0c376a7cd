/* expose.h: memory that the kernel is going to write for the application. Watched pages there are given back first (smc.h), and no
 * page there is watched until the kernel is done: it does not wait for us when it finds one. */
#ifndef EMULATE_EXPOSE_H
#define EMULATE_EXPOSE_H
#include "engine/emulate/syscall.h"

void expose_begin(struct thread *t, const struct syscall_args *a);      /* whatever the call may write */
void expose_end(struct thread *t);
bool expose_is_lent(addr_t page);                       /* may a call that some thread is in write there? Cache lock held */
void expose_robust_list(void);                          /* the words of the mutexes that this thread dies with */
#endif
