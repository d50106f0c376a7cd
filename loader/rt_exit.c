/* rt_exit.c: the end of the tool's libc, and its part in a fork. Replaces _exit.o and _Fork.o of libc.a. */
#include "rt_int.h"
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

void rt_say(const char *line)
{
    size_t n = 0;
    while (line[n])
        n++;
    sys3(__NR_write, 2, line, n);
}

/* exit() runs the destructors of static objects and the atexit handlers, flushes stdio, then calls _exit(): there rt_exit_flush
 * takes over again. Many tools were written where none of these ever run: one that fails is left out, and exit() goes on with the
 * next, as it has taken the failed one off its list. */
enum { FLUSH_BEGINS, FLUSH_ENDS, FLUSH_GOES_ON };
static __thread jmp_buf *flush_return;
void (*rt_exit_hook)(int status);

/* Attached, and the program has not been taken over yet: the process is not ours to end. The launcher sees to that while it lives. */
static bool is_guest(void)
{
    const struct handoff *h = rt_handoff();
    return h && h->mode == HANDOFF_ATTACH && h->attach_state == ATTACH_STARTING;
}

PUBLIC void _exit(int status)
{
    if (flush_return)
        _longjmp(*flush_return, FLUSH_ENDS);
    void (*hook)(int) = __atomic_exchange_n(&rt_exit_hook, NULL, __ATOMIC_ACQ_REL);
    if (hook)
        hook(status);
    for (;;)
        sys1(is_guest() ? __NR_exit : __NR_exit_group, status);
}
ALIAS(_Exit, _exit);

extern void exit(int) __attribute__((noreturn));

void rt_exit_flush(void)
{
    static bool done;
    if (__atomic_exchange_n(&done, true, __ATOMIC_ACQ_REL))
        return;
    jmp_buf here;
    if (_setjmp(here) != FLUSH_ENDS) {
        flush_return = &here;
        exit(0);
    }
    flush_return = NULL;
}

bool rt_exit_is_flushing(void) { return flush_return; }

void rt_exit_go_on(void) { _longjmp(*flush_return, FLUSH_GOES_ON); }

/* The application's fork runs inside the tool libc's fork(): its handlers lock and mend malloc, stdio and what the tool
 * registered with pthread_atfork. Only the system call in the middle is the application's own. */
static __thread struct { long (*raw_clone)(void *); void *arg; long raw; } forking;

PUBLIC pid_t _Fork(void)
{
    lock_take_early(&rt_space_lock);
    long raw = forking.raw_clone ? forking.raw_clone(forking.arg) : sys5(__NR_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
    lock_drop_early(&rt_space_lock);
    forking.raw = raw;
    if (raw == 0)
        rt_thread_forked();
    return (pid_t)rt_result(raw);
}

long rt_fork(long (*raw_clone)(void *), void *arg)
{
    forking.raw_clone = raw_clone;
    forking.arg = arg;
    long result = fork();
    forking.raw_clone = NULL;
    if (result == 0)
        rt_fork_child();
    return result < 0 ? forking.raw : result;
}
