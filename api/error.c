/* error.c: how the tool interface fails. */
#include "api/api.h"
#include "base/panic.h"
#include "engine/log.h"
#include "engine/native.h"
#include "engine/report.h"
#include <stdio.h>
#include <unistd.h>

/* On stderr, and where the user asked for messages to be kept: -error_file, and --log (Pin's -logfile). */
static void api_complain(const char *who, const char *text)
{
    fprintf(stderr, "%s: %s\n", who, text);
    if (COTTER_ErrorFile() != stderr) {
        fprintf(COTTER_ErrorFile(), "%s: %s\n", who, text);
        fflush(COTTER_ErrorFile());
    }
    if (log_is_on())
        log_line("%s: %s", who, text);
}

/* What the tool has printed so far may tell how it came to this. */
static void complain(const char *fmt, va_list ap)
{
    char text[1024];
    vsnprintf(text, sizeof text, fmt, ap);
    fflush(stdout);
    api_complain("cotter: tool error", text);
}

void api_fatal(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    complain(fmt, ap);
    _exit(EXIT_COTTER_FAILED);
}

void api_misuse(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    complain(fmt, ap);
    report_callers(__builtin_frame_address(0));
    _exit(EXIT_COTTER_FAILED);
}

/* ---- names of the tool's own functions ---- */
/* C++ tools have this in their libstdc++; others need none. */
extern char *__cxa_demangle(const char *name, char *to, size_t *size, int *status) __attribute__((weak));

static bool demangle(const char *name, char *text, size_t size)
{
    char *plain = __cxa_demangle ? __cxa_demangle(name, NULL, NULL, NULL) : NULL;
    if (plain)
        snprintf(text, size, "%s", plain);
    return plain != NULL;
}

/* Before the tool's own constructors, which may fail. */
__attribute__((constructor(101))) static void set_demangle(void) { hooks.demangle = demangle; }

void not_in_probe_mode(const char *function)
{
    if (native_is_on())
        api_fatal("%s: not in probe mode: the program runs natively", function);
}

VOID PIN_WriteErrorMessage(const char *msg, INT32 id, PIN_ERR_SEVERITY_TYPE severity, INT32 n, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, n);
    size_t used = (size_t)snprintf(text, sizeof text, "%s", msg);
    for (INT32 i = 0; i < n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", va_arg(ap, const char *));
    va_end(ap);
    api_complain("E", text);
    if (severity == PIN_ERR_FATAL)
        _exit(id & 0xff ? id & 0xff : 1);
}
