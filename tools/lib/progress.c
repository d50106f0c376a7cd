/* progress.c: see progress.h.
 *
 * The time is shown when the program makes a system call or comes to new code: a thread that shows it at its own pace would be
 * seen by the program (a process with two threads cannot leave its user namespace). A terminal may be the program's, too. So the
 * line goes before the program writes to it, and comes back only behind a complete line of the program; not while the program
 * reads keys one by one (an editor), and not once it has children, whose writing is not seen. */
#include "tool.h"
#include "progress.h"
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static volatile bool is_shown, is_over;
static volatile int busy;                       /* held while something is written */
static bool has_own;                            /* the tool tells more than the time */
static bool is_shared;                          /* the program writes to a terminal, too */
static volatile bool is_within_line, has_children;
static time_t began;

static struct timespec now(VOID)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t;
}

static VOID wipe(VOID)
{
    while (__sync_lock_test_and_set(&busy, 1))
        ;
    if (is_shown)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    is_shown = false;
    __sync_lock_release(&busy);
}

VOID progress_end(bool for_good)
{
    is_over |= for_good;
    wipe();
}

/* ---- showing ---- */
static bool may_show(VOID)
{
    struct termios t;
    if (is_over || tcgetattr(fileno(stderr), &t))
        return false;
    return !is_shared || (!is_within_line && !has_children && t.c_lflag & ICANON);
}

static VOID show(const char *fmt, va_list ap)
{
    static time_t last;
    struct timespec t = now();
    time_t tick = t.tv_sec * 4 + t.tv_nsec / 250000000;
    if (tick == last || !may_show() || __sync_lock_test_and_set(&busy, 1))
        return;
    fputs("\r", stderr);
    vfprintf(stderr, fmt, ap);
    fputs("\033[K", stderr);
    fflush(stderr);
    is_shown = true;
    last = tick;
    __sync_lock_release(&busy);
}

static VOID show_line(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    show(fmt, ap);
    va_end(ap);
}

VOID out_progress(const char *fmt, ...)
{
    va_list ap;
    has_own = true;
    va_start(ap, fmt);
    show(fmt, ap);
    va_end(ap);
}

/* ---- the program ---- */
static bool ends_line(const VOID *text, size_t n)
{
    char c = 0;
    return !n || (PIN_SafeCopy(&c, (const char *)text + n - 1, 1) == 1 && c == '\n');
}

static VOID before_write(ADDRINT number, ADDRINT fd, ADDRINT what, ADDRINT n)
{
    struct iovec last = { (VOID *)what, n };
    if (number == SYS_writev && (!n || PIN_SafeCopy(&last, (const struct iovec *)what + n - 1, sizeof last) != sizeof last))
        last.iov_len = 0;
    if (!isatty((int)fd))
        return;
    is_within_line = !ends_line(last.iov_base, last.iov_len);
    is_shared = true;
    wipe();
}

static VOID beat(VOID)
{
    time_t s = now().tv_sec;
    if (!has_own && s > began)
        show_line("%s: %ld s", tool_name(), (long)(s - began));
}

static VOID before_call(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    ADDRINT n = PIN_GetSyscallNumber(ctxt, std);
    if (n == SYS_write || n == SYS_writev)
        before_write(n, PIN_GetSyscallArgument(ctxt, std, 0), PIN_GetSyscallArgument(ctxt, std, 1), PIN_GetSyscallArgument(ctxt, std, 2));
    else
        beat();
}

static VOID new_code(TRACE trace, VOID *v) { beat(); }

static VOID before_fork(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    has_children = true;
    wipe();
}

static VOID in_child(THREADID tid, const CONTEXT *ctxt, VOID *v) { is_over = true; }

VOID progress_begin(VOID)
{
    if (!isatty(fileno(stderr)))
        return;
    began = now().tv_sec;
    is_shared = isatty(fileno(stdout));
    PIN_AddSyscallEntryFunction(before_call, 0);
    TRACE_AddInstrumentFunction(new_code, 0);
    PIN_AddForkFunction(FPOINT_BEFORE, before_fork, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, in_child, 0);
}
