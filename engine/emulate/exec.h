/* exec.h: the application replaces itself: natively, or under Cotter when children are followed. */
#ifndef EMULATE_EXEC_H
#define EMULATE_EXEC_H
#include "arch/arch.h"
bool exec_may_succeed(const struct syscall_args *a);     /* the file is there and may be executed */
long exec_perform(const struct syscall_args *a);         /* returns only on failure */
#endif
