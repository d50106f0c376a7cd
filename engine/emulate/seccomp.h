/* seccomp.h: the program forbids system calls to itself, and is not to forbid them to the engine. */
#ifndef EMULATE_SECCOMP_H
#define EMULATE_SECCOMP_H
#include "engine/emulate/syscall.h"

struct seccomp;                                 /* the filters of a thread: inherited, never taken away */
long seccomp_filter(struct thread *t, struct syscall_args *a, bool for_all);   /* prctl or seccomp, with the filter as a[2] */
long seccomp_strict(struct thread *t);

/* The filters of t do not let the call pass: the result, or SYS_REPLACED; a deadly one does not return. SYS_PASS: it may
 * pass. is_ours: the engine performs the call itself, where the kernel does not ask the filters. */
long seccomp_judge(struct thread *t, const struct syscall_args *a, bool is_ours);
#endif
