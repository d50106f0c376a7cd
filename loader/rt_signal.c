/* rt_signal.c: signals belong to the application; the tool's libc must not touch them.
 *
 * A handler that the tool installed would run in the application's place, so installing one fails, with one line that
 * says what to use instead. Masks are only remembered: without a handler of its own, a tool cannot tell the difference.
 * The definitions replace libc_sigaction.o, pthread_sigmask.o, sigaltstack.o and abort.o. */
#include "rt_int.h"
#include <errno.h>
#include <signal.h>

/* libc's own internal signals for cancellation and setxid: pthread_create installs handlers for them. */
enum { SIG_INTERNAL_FIRST = 32, SIG_INTERNAL_LAST = 33 };

PUBLIC int __libc_sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
    if (old)
        *old = (struct sigaction){.sa_handler = SIG_DFL};
    if (!act || (sig >= SIG_INTERNAL_FIRST && sig <= SIG_INTERNAL_LAST))
        return 0;
    static bool said;
    bool is_handler = act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN;
    if (is_handler && !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        rt_say("cotter: the tool's sigaction() is refused: signals belong to the program (see PIN_InterceptSignal)\n");
    return (int)rt_result(-EPERM);
}

static __thread u64 tool_mask;

PUBLIC int __pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    u64 before = tool_mask;
    if (set) {
        u64 bits = *(const u64 *)set;
        if (how == SIG_BLOCK)
            tool_mask = before | bits;
        else if (how == SIG_UNBLOCK)
            tool_mask = before & ~bits;
        else if (how == SIG_SETMASK)
            tool_mask = bits;
        else
            return EINVAL;
    }
    if (old) {
        *old = (sigset_t){{0}};
        *(u64 *)old = before;
    }
    return 0;
}
ALIAS(pthread_sigmask, __pthread_sigmask);

PUBLIC int __sigaltstack(const stack_t *set, stack_t *old)
{
    if (old)
        *old = (stack_t){.ss_flags = SS_DISABLE};
    return set ? (int)rt_result(-EPERM) : 0;
}
ALIAS(sigaltstack, __sigaltstack);

struct abort_msg;
PUBLIC struct abort_msg *__abort_msg;   /* part of the replaced member: assert() leaves its text here for debuggers */

/* A tool that aborts must not look like a program that does. */
PUBLIC void abort(void) { report_abort("abort()", __builtin_frame_address(0)); }
