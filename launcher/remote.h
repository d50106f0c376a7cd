/* remote.h: make a stopped process do system calls, read and write its memory. */
#ifndef LAUNCHER_REMOTE_H
#define LAUNCHER_REMOTE_H
#include "loader/handoff.h"
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct remote {
    pid_t pid;
    uint64_t syscall_at;                /* address of a `syscall` instruction in the target; 0: none was found */
    struct handoff_regs regs;       /* of the target when it stopped */
    uint64_t mask;                      /* its signal mask, restored by remote_release */
};

/* The target has stopped in a clean place (not inside a system call). Blocks its signals. False: errno tells. */
int remote_begin(struct remote *r, pid_t pid, uint64_t vdso);
long remote_call(struct remote *r, long number, const uint64_t args[6]);      /* raw result */
#define REMOTE_CALL(r, number, ...) remote_call(r, number, (const uint64_t[6]){__VA_ARGS__})
int remote_write(struct remote *r, uint64_t to, const void *from, size_t size);
/* Let it go on with these registers. */
int remote_release(struct remote *r, const struct handoff_regs *regs);
/* End it with this status, or kill it when even that fails. */
void remote_end(struct remote *r, int status);
#endif
