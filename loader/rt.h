/* rt.h: what the engine may ask of the tool's private libc.
 *
 * The tool, its libc and the engine are one ELF. The libc is an ordinary static glibc, except that rt_*.c replace its
 * calls for memory, descriptors and signals (nothing of the application's changes), and that it serves threads which it
 * did not create. "May use vector registers" below means: save the application's first. */
#ifndef COTTER_RT_H
#define COTTER_RT_H
#include "loader/handoff.h"
#include <stdbool.h>
#include <stdint.h>

struct rt_thread;

/* The launcher's record; NULL when the tool was started by hand. */
struct handoff *rt_handoff(void);

/* Once, on the main thread, when the tool's main() has done its part: from here on libc serves several threads. Ends a
 * tool that was started by hand, with a line that says how to. */
void rt_init(void);

/* Threads. rt_thread_new: on the creating thread, before the application's clone; NULL when memory is out. The new
 * thread sets its FS base to rt_thread_fs(), then calls rt_thread_enter() before any other code of the tool.
 * rt_thread_exit() runs destructors of thread_local objects and thread-specific data; no code of the tool may run on
 * that thread after it. rt_thread_free(): from any other thread, once the first one has left the block for good. All of
 * them may use vector registers and take libc locks: never from a signal handler. */
struct rt_thread *rt_thread_main(void);
struct rt_thread *rt_thread_new(void);
uintptr_t rt_thread_fs(struct rt_thread *t);
void rt_thread_enter(struct rt_thread *t, int tid);
void rt_thread_exit(struct rt_thread *t);
void rt_thread_free(struct rt_thread *t);

/* The application's fork: calls raw_clone(arg) inside the tool libc's fork(), so that malloc, stdio and pthread_atfork
 * handlers are right in the child. raw_clone makes the exact system call and returns its raw result, on both sides; on
 * the child's side it must come back on the same stack. Not for clones that share memory. Returns the raw result. */
long rt_fork(long (*raw_clone)(void *), void *arg);

/* The end of the process: the tool's atexit handlers and destructors, and a flush of stdio, once; later calls return at
 * once. libc stays usable. Any thread, not a signal handler. */
void rt_exit_flush(void);
bool rt_exit_is_flushing(void);                 /* this thread runs them */
void rt_exit_go_on(void) __attribute__((noreturn));     /* without the one that runs */

/* Called once, before the process ends, when the tool itself calls exit() or _exit(). NULL: nothing. */
extern void (*rt_exit_hook)(int status);

/* The engine's share, from the very start of the process on: notice faults of the tool (engine/early.c); the tool ends itself,
 * why in words, its frames are found from sp on (engine/report.c). */
void early_watch(void);
void report_abort(const char *why, const void *sp) __attribute__((noreturn));

/* Private descriptors: what the tool opened and what the engine asked to protect. These use no vector registers, no
 * libc and no lock. rt_fd_protect moves a descriptor out of the application's way (close-on-exec) and returns the new.
 * rt_fd_next lists them: the first private one >= from, or -1. rt_fd_forget: the engine closed it. */
bool rt_fd_is_private(int fd);
int rt_fd_next(int from);
int rt_fd_protect(int fd);
void rt_fd_forget(int fd);
#endif
