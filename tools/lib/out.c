/* out.c: see out.h. */
#include "tool.h"
#include <errno.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

KNOB_TEXT(output, "o", "", "write the report to this file instead of stderr (%p: the pid)");
KNOB_FLAG(json, "json", "machine-readable report");

BOOL out_is_json(VOID) { return json; }
BOOL out_is_file(VOID) { return *output != 0; }
const char *out_pattern(VOID) { return output; }

static bool has_progress;

static VOID wipe_progress(VOID)
{
    if (has_progress)
        fputs("\r\033[K", stderr);
    has_progress = false;
}

FILE *out_open(VOID)
{
    wipe_progress();
    return COTTER_OpenReport(output);
}

FILE *out_open_beside(const char *suffix)
{
    char *pattern = *output ? need_text("%s%s", output, suffix) : need_text("%s.%%p%s", tool_name(), suffix);
    FILE *f = COTTER_OpenReport(pattern);
    free(pattern);
    return f;
}

VOID out_close(FILE *f)
{
    bool failed = fflush(f) || ferror(f);
    if (failed && f != stderr)
        fprintf(stderr, "cotter: the report is not complete: %s\n", strerror(errno));
    if (f != stderr)
        fclose(f);
}

static bool has_own;                            /* the tool tells more than the time */

static VOID show(const char *fmt, va_list ap)
{
    static time_t last;
    static volatile int busy;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t tick = now.tv_sec * 4 + now.tv_nsec / 250000000;
    if (tick == last || !isatty(fileno(stderr)) || __sync_lock_test_and_set(&busy, 1))
        return;
    fputs("\r", stderr);
    vfprintf(stderr, fmt, ap);
    fputs("\033[K", stderr);
    has_progress = true;
    last = tick;
    __sync_lock_release(&busy);
}

VOID out_progress(const char *fmt, ...)
{
    va_list ap;
    has_own = true;
    va_start(ap, fmt);
    show(fmt, ap);
    va_end(ap);
}

/* ---- for tools that only count: the time, when the program makes a system call ---- */
static time_t began;

static VOID show_time(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    show(fmt, ap);
    va_end(ap);
}

static VOID beat(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!has_own && now.tv_sec > began)
        show_time("%s: %ld s", tool_name(), (long)(now.tv_sec - began));
}

VOID out_begin(VOID)
{
    struct timespec now;
    if (!isatty(fileno(stderr)) || isatty(fileno(stdout)))
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    began = now.tv_sec;
    PIN_AddSyscallEntryFunction(beat, 0);
}
