/* log.c: see log.h. */
#include "engine/log.h"
#include "loader/symbol.h"
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "loader/rt.h"

static int fd = -1;
static addr_t dump_address;

static void expand(char *to, size_t size, const char *pattern)
{
    size_t n = 0;
    for (const char *p = pattern; *p && n + 12 < size; p++) {
        if (p[0] == '%' && p[1] == 'p') {
            n += ct_format(to + n, size - n, "%d", sys_getpid());
            p++;
        } else {
            to[n++] = *p;
        }
    }
    to[n] = 0;
}

int log_open(const char *pattern)
{
    enum { FLAGS = 01 | 0100 | 01000 | 02000000 };     /* O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC */
    char path[OPT_PATH_MAX + 16];
    expand(path, sizeof path, pattern);
    long r = sys4(__NR_openat, -100, path, FLAGS, 0666);
    if (sys_failed(r))
        ct_fatal("cannot write %s (error %ld)", path, -r);
    return rt_fd_protect((int)r);
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

/* Opened at the start, so that a wrong name is reported before the program runs; in a forked child anew. */
int log_stats(void)
{
    static int fd = -1, owner;
    if (fd < 0 || (owner != sys_getpid() && strchr(opt->stats_file, '%'))) {
        fd = opt->stats_file[0] ? log_open(opt->stats_file) : log_stderr();
        owner = sys_getpid();
    }
    return fd;
}

void log_init(void)
{
    if (opt->stats != STATS_OFF)
        log_stats();
    if (hooks.fini || opt->verbose)
        log_stderr();
    if (opt->log_file[0])
        fd = log_open(opt->log_file);
    if (opt->dump_trace[0] == '0')
        dump_address = str_to_u64(opt->dump_trace, NULL);
    else if (engine_handoff->dump_offset)
        dump_address = engine_handoff->app_entry + (u64)engine_handoff->dump_offset;
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
    sys3(__NR_write, fd >= 0 ? fd : 2, line, n);
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
