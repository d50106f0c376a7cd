/* attach.h: take over a process that is already running, and give it back. docs/attach.md tells how. */
#ifndef LAUNCHER_ATTACH_H
#define LAUNCHER_ATTACH_H
#include "launcher/launch.h"
#include "launcher/tracee.h"
#include <elf.h>

/* target.c: may this process be attached to? Fails with cause and cure. Fills in the handoff's program and `s`. */
void target_examine(struct launch *l, struct tracees *s);
void target_explain_refusal(pid_t pid, int error) __attribute__((noreturn));
bool target_is_under_cotter(pid_t pid);
bool target_is_stopped(pid_t pid);      /* by SIGSTOP or its like */
/* A thread's id as we see it, and as it sees itself: another namespace has other numbers. */
pid_t local_tid(pid_t pid, pid_t tid);
pid_t remote_tid(pid_t pid, pid_t inner);
bool target_read_auxv(pid_t pid, Elf64_auxv_t *auxv, size_t room);

/* turn.c: from now on, and until it ends, this process alone works on that one. False: said why, or nobody waits for it any more. */
bool turn_take(pid_t pid);

bool target_is_native(pid_t pid);       /* detach.c: in probe mode */
/* probed.c: its probes are removed, its threads stopped. Nothing leads to the tool from now on, but for its private memory, which the
 * caller unmaps. False: a thread is still in the tool's code, or the program knows of it. */
bool probed_leave(struct tracees *s, const struct handoff *h);

/* attach.c: does all of it; false: said why, and the process is as it was. */
bool attach_perform(struct launch *l);
/* detach.c: the process goes on natively; false: said why. */
bool detach_perform(pid_t pid, bool verbose);
void detach_clean(pid_t pid);           /* what a launcher that was killed has left: nothing but memory */

/* attached.c: the commands. The one that the worker works for: has it been killed? */
bool command_is_gone(void);
void hurry(pid_t tid);                  /* it runs before all others, where this is allowed: not for long work */
int attach_command(struct launch *l);
int detach_command(int argc, char **argv);
#endif
