/* remote.h: make a stopped process do system calls, read and write its memory. */
#ifndef LAUNCHER_REMOTE_H
#define LAUNCHER_REMOTE_H
#include "launcher/borrow.h"
#include "loader/handoff.h"
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct remote {
    pid_t pid;
    uint64_t vdso;
    uint64_t syscall_at;                /* address of a `syscall` instruction in the target; 0: none was found */
    struct handoff_regs regs;       /* of the target when it stopped */
    uint64_t mask;                      /* its signal mask, restored by remote_release */
    int n_calls;
    int is_lent;                        /* it has registers of ours, and a way home: see borrow.h */
    struct handoff_regs base;           /* what calls are made with, but for number and arguments */
    struct borrow_home home;
    int by_stops;                       /* calls are made from one system-call stop to the next, not by a single step: that
                                         * would force a SIGTRAP on a process which may have its own use for it */
};

/* The target has stopped in a clean place (not inside a system call). Blocks its signals. False: errno tells. */
int remote_begin(struct remote *r, pid_t pid, uint64_t vdso);
/* The same for a thread that was seized (with PTRACE_O_TRACESYSGOOD) and stopped anywhere, in a system call too. It keeps its
 * mask until it makes a call, and goes home by itself when this process is killed. */
int remote_begin_in(struct remote *r, pid_t tid, uint64_t vdso);
int remote_find_syscall(struct remote *r, uint64_t vdso);    /* where the target can make calls; the others do it, too */
long remote_call(struct remote *r, long number, const uint64_t args[6]);      /* raw result */
#define REMOTE_CALL(r, number, ...) remote_call(r, number, (const uint64_t[6]){__VA_ARGS__})
/* The kernel shows the memory of a process by its first thread, and shows none when that has ended. The thread to look at. */
pid_t remote_face(pid_t pid);
char remote_state(pid_t pid, pid_t tid);        /* of its stat line; 0: there is none */
int remote_is_alive(pid_t pid, pid_t tid);
int remote_write(struct remote *r, uint64_t to, const void *from, size_t size);
int remote_read(pid_t pid, uint64_t from, void *to, size_t size);
/* From now on calls are made with these registers, and this is what it goes home to. */
void remote_lend(struct remote *r, const struct handoff_regs *base, uint64_t home_mask);
int remote_send_home(struct remote *r);        /* it would go there now */
/* Give it these registers and bring it to a stop from which the kernel restarts a system call. Mask first: on its way home it
 * takes it itself, but nobody else would. */
int remote_settle(struct remote *r, const struct handoff_regs *regs, uint64_t mask);
void remote_wipe(pid_t tid);                    /* a stopped thread of the target; nobody makes calls any more */
/* Let it go on with these registers. */
int remote_release(struct remote *r, const struct handoff_regs *regs);
/* End it with this status, or kill it when even that fails. */
void remote_end(struct remote *r, int status);
#endif
