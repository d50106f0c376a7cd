/* incall.h: system calls that a stop finds a thread in.
 *
 * The kernel restarts most calls when a stopped thread goes on, with what is left of a timeout. Some end with EINTR at every
 * stop, handler or none. Those are made again, too, so that the program does not see that it was stopped. The kernel does not
 * tell what is left of their timeout: it is worked out from the time when the thread went to sleep, which the scheduler knows. */
#ifndef LAUNCHER_INCALL_H
#define LAUNCHER_INCALL_H
#include "loader/handoff.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct incall {
    bool is_delicate;                   /* it is in a call that ends at every stop */
    int64_t since_us;                   /* asleep since, by the steady clock; 0: it was awake; -1: not known */
    uint64_t sleeps;                    /* how often it had gone to sleep by then */
    uint64_t stops;                     /* how often it has stopped since */
    int64_t due_us;                     /* when its timeout ends; 0: it has none */
};

/* Before the thread is stopped. */
void incall_look(struct incall *c, pid_t pid, pid_t tid);
/* At the stop, with the registers that it left: is it in a call that will be restarted? Then they are made so. */
bool incall_mend(struct incall *c, struct handoff_regs *r, pid_t pid, pid_t tid);
/* Just before it goes on: its timeout becomes what is left. A timeout that is in memory is put to `room` in the target, where
 * there are INCALL_ROOM bytes; 0: below the thread's stack, where a signal's frame would be. */
enum { INCALL_ROOM = 64 };
bool incall_shorten(const struct incall *c, struct handoff_regs *r, pid_t pid, pid_t tid, uint64_t room);
/* It is let go next, and stops no more: what a later stop within the same call has to know. */
void incall_note(const struct incall *c, pid_t pid, pid_t tid);
/* The call it waits in, and that call's first argument; -1: it runs, or may not be looked at. */
long incall_number(pid_t pid, pid_t tid, int *fd);
#endif
