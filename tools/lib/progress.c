/* progress.c: see progress.h. What the tool knows of the program goes to the page that it shares with the ticker, which shows it.
 * A terminal may be the program's, too: so the line goes before the program writes to it. */
#include "tool.h"
#include "progress.h"
#include "ticker.h"
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static struct ticker_page *page;                /* NULL: nothing is shown */

VOID progress_end(bool for_good)
{
    if (!page)
        return;
    page->is_over |= for_good;
    ticker_wipe(page);
}

VOID out_progress(const char *fmt, ...)
{
    va_list ap;
    if (!page || __sync_lock_test_and_set(&page->busy, 1))      /* next time, then */
        return;
    va_start(ap, fmt);
    vsnprintf(page->own, sizeof page->own, fmt, ap);
    ticker_unlock(page);
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
    page->is_within_line = !ends_line(last.iov_base, last.iov_len);
    page->is_shared = true;
    ticker_wipe(page);
}

static VOID before_call(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    ADDRINT n = PIN_GetSyscallNumber(ctxt, std);
    if (page && (n == SYS_write || n == SYS_writev))
        before_write(n, PIN_GetSyscallArgument(ctxt, std, 0), PIN_GetSyscallArgument(ctxt, std, 1), PIN_GetSyscallArgument(ctxt, std, 2));
}

static VOID before_fork(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    if (!page)
        return;
    page->has_children = true;
    ticker_wipe(page);
}

static VOID in_child(THREADID tid, const CONTEXT *ctxt, VOID *v) { page = NULL; }

VOID progress_begin(VOID)
{
    page = isatty(fileno(stderr)) && !COTTER_IsQuiet() ? ticker_start(PIN_ToolFullPath(), tool_name(), PIN_IsAttaching()) : NULL;
    if (!page)
        return;
    page->is_shared = isatty(fileno(stdout));
    PIN_AddSyscallEntryFunction(before_call, 0);
    PIN_AddForkFunction(FPOINT_BEFORE, before_fork, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, in_child, 0);
}
