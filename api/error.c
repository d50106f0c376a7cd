/* error.c: how the tool interface fails. */
#include "api/api.h"
#include "base/panic.h"
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
