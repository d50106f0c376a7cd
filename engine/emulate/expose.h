/* expose.h: memory that the kernel is going to write and that no argument points at directly: watched pages there are given
 * back first (smc.h). */
#ifndef EMULATE_EXPOSE_H
#define EMULATE_EXPOSE_H
#include "engine/emulate/syscall.h"

void expose_vectors(const struct syscall_args *a);      /* buffers of readv, recvmsg and their like */
void expose_robust_list(void);                          /* the words of the mutexes that this thread dies with */
#endif
