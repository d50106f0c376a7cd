/* process.h: how processes begin, multiply and end. */
#ifndef EMULATE_PROCESS_H
#define EMULATE_PROCESS_H
#include "engine/thread.h"

bool proc_wants_last_word(void);          /* something is to be printed before the process ends */
void proc_last_word(int status);                /* statistics and the tool's report: once, whoever comes first */
void proc_exit(int status) NORETURN;
void proc_leave_behind(void *p, size_t size);   /* an exec is about to happen: of a vfork child, the parent frees p; NULL: not any more */

/* All engine locks, in the order of their ranks: then no other thread holds one, in a child's copy of memory for instance. */
void proc_locks_take(struct thread *t);
void proc_locks_drop(struct thread *t);

struct syscall_args;
long proc_sys_exec(struct thread *t, const struct syscall_args *a);
/* A child with its own memory; one that borrows this thread's. child_sp 0: the same stack. tls: new thread pointer of
 * the application, or NULL. The latter returns through disp_after_vfork, in parent and child. */
/* What a forked child does by hand: the kernel's call leaves it out. */
struct child_start {
    addr_t sp;                                    /* 0: as the parent's */
    const u64 *tls;                               /* NULL: as the parent's */
    bool clears_actions;                          /* CLONE_CLEAR_SIGHAND */
};
long proc_sys_fork(struct thread *t, struct syscall_args *a, const struct child_start *c);
long proc_sys_vfork(struct thread *t, struct syscall_args *a, const struct child_start *c);
#endif
