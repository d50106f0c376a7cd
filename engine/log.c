/* log.c: see log.h. */
#include "engine/log.h"
#include "loader/symbol.h"
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/outfile.h"
#include "loader/rt.h"

static int fd = -1, stats_fd = -1;
static addr_t dump_address;
static bool is_cut;                              /* a line of the log could not be written */

/* A child runs on, whatever becomes of what is told about it. */
static int open_private(const char *pattern)
{
    char path[OUTFILE_PATH_MAX];
    long r = outfile_open(path, pattern);
    if (!sys_failed(r))
        return (int)r;
    if (!outfile_is_child())
        ct_fatal("cannot write %s: %s; name another file", path, outfile_why(r));
    ct_print(2, "cotter: cannot write %s: %s\n", path, outfile_why(r));
    return -1;
}

/* The application may close its stderr before it exits (coreutils do): what is printed at the end needs a copy. A copy
 * keeps a pipe open that the application believes to have closed, so it is made only when something will be printed. */
int log_stderr(void)
{
    static int copy = -1;
    if (copy < 0) {
        long r = sys1(__NR_dup, 2);
        copy = sys_failed(r) ? 2 : rt_fd_protect((int)r);
    }
    return copy;
}

int log_stats(void)
{
    if (stats_fd < 0 && opt->stats_file[0])
        stats_fd = open_private(opt->stats_file);
    return stats_fd < 0 ? log_stderr() : stats_fd;
}

/* What is written to is opened at the start, so that a wrong name is reported before the program runs. */
void log_init(void)
{
    outfile_init();
    if (opt->stats != STATS_OFF)
        log_stats();
    if (hooks.fini || opt->verbose)
        log_stderr();
    if (opt->log_file[0])
        fd = open_private(opt->log_file);
    if (opt->dump_trace[0] == '0')
        dump_address = str_to_u64(opt->dump_trace, NULL);
    else if (engine_handoff->dump_offset)
        dump_address = engine_handoff->app_entry + (u64)engine_handoff->dump_offset;
}

/* A child made with CLONE_FILES closes what it closes for its parent too. */
static void close_of_parent(int file)
{
    enum { KCMP_FILES = 2 };
    if (sys5(__NR_kcmp, sys_getpid(), sys0(__NR_getppid), KCMP_FILES, 0, 0) <= 0)
        return;
    sys1(__NR_close, file);
    rt_fd_forget(file);
}

/* Now, while the child may still open files: it may give up its privileges. */
void log_forked(void)
{
    if (stats_fd >= 0) {
        close_of_parent(stats_fd);
        stats_fd = opt->follow ? open_private(opt->stats_file) : -1;
    }
    if (fd >= 0) {
        close_of_parent(fd);
        fd = open_private(opt->log_file);
    }
}

static bool seeks_function(void)
{
    char first = opt->dump_trace[0];
    return first && !dump_address && (first < '0' || first > '9') && strcmp(opt->dump_trace, "all");
}

void log_code_mapped(addr_t at, int file, u64 offset)
{
    u64 from;
    if (UNLIKELY(seeks_function()) && symbol_in_segment(file, opt->dump_trace, offset, &from))
        dump_address = at + from;
}

void log_dump_missing(void)
{
    if (seeks_function())
        ct_print(log_stderr(), "cotter: --dump-trace: neither the program nor a library of it has a function %s\n", opt->dump_trace);
}

bool log_is_on(void) { return fd >= 0; }
addr_t log_dump_address(void) { return dump_address; }

static void write_line(const char *before, const char *fmt, va_list ap)
{
    char line[1024];
    size_t n = ct_format(line, sizeof line, "%s", before);
    n = MIN(n + ct_vformat(line + n, sizeof line - 1 - n, fmt, ap), sizeof line - 2);
    line[n++] = '\n';
    long r = ct_write(fd >= 0 ? fd : 2, line, n);
    if (UNLIKELY(sys_failed(r)) && fd >= 0 && !__atomic_exchange_n(&is_cut, true, __ATOMIC_RELAXED))
        ct_print(2, "cotter: the log %s is not complete: %s\n", opt->log_file, outfile_why(r));
}

void log_line(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_line("", fmt, ap);
    va_end(ap);
}

void log_event_line(const char *fmt, ...)
{
    char tid[24];
    va_list ap;
    ct_format(tid, sizeof tid, "[%d] ", sys_gettid());
    va_start(ap, fmt);
    write_line(tid, fmt, ap);
    va_end(ap);
}
