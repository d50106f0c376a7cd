/* syscall.h: the application's system calls. */
#ifndef EMULATE_SYSCALL_H
#define EMULATE_SYSCALL_H
#include "engine/thread.h"

/* Perform the system call of which the arguments are in `a`. Returns false when the thread's registers were replaced as a
 * whole (sigreturn, exec, a signal came first): the caller must not store a result. */
bool syscall_perform(struct thread *t, struct syscall_args *a, long *result);
void syscall_init(void);

/* Handlers return a result for the application, or one of these. */
enum { SYS_PASS = -6000,            /* on to the kernel as it is */
       SYS_REPLACED = -6001 };      /* the registers are already what they have to be */
typedef long syscall_fn(struct thread *t, struct syscall_args *a);
static inline long sys_named(const struct syscall_args *a) { return a->older ? (long)a->older - 1 : a->nr; }
long syscall_kernel(struct thread *t, struct syscall_args *a);      /* may be SYS_INTERRUPTED */
#endif
