/* kernel.h: what the kernel orders: what a thread did before it wrote to a pipe, a socket or an eventfd, sent a message or a signal,
 * happened before what another thread does that has read it. A thread that waits for any of several (poll, select, epoll) takes on
 * what was handed over to all of them: it may go on without reading. */
#ifndef RACECHECK_KERNEL_H
#define RACECHECK_KERNEL_H

/* On the thread that makes the call. give: join the thread's past to this clock; take: join the clock to the thread's past. */
struct kernel_hooks { VOID (*give)(struct clock *to), (*take)(const struct clock *from); };
VOID kernel_begin(const struct kernel_hooks *hooks);    /* in main() */
VOID kernel_before(const CONTEXT *ctxt, SYSCALL_STANDARD std);  /* at the entry of a system call */
VOID kernel_after(const CONTEXT *ctxt, SYSCALL_STANDARD std);   /* at its exit */
VOID kernel_signal(VOID);                       /* a handler begins */
VOID kernel_forked(VOID);                       /* in the child */
#endif
