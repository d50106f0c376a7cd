/* error.c: how the tool interface fails. */
#include "api/api.h"
#include "base/panic.h"
#include "engine/native.h"
#include <stdio.h>
#include <unistd.h>

void api_fatal(const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    fprintf(stderr, "cotter: tool error: %s\n", text);
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
    va_list ap;
    va_start(ap, n);
    fprintf(stderr, "E: %s", msg);
    for (INT32 i = 0; i < n; i++)
        fprintf(stderr, " %s", va_arg(ap, const char *));
    fprintf(stderr, "\n");
    va_end(ap);
    if (severity == PIN_ERR_FATAL)
        _exit(id & 0xff ? id & 0xff : 1);
}
