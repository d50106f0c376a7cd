/* say.c: see say.h. One write per line, so that lines of several processes do not mix. */
#include "launcher/say.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static void say_list(const char *fmt, va_list ap)
{
    char line[2048] = "cotter: ";
    int n = 8, room = (int)sizeof line - n - 1;
    int m = vsnprintf(line + n, (size_t)room, fmt, ap);
    n += m < room ? m : room - 1;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        return;
}

void say(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_list(fmt, ap);
    va_end(ap);
}

void fail(int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_list(fmt, ap);
    va_end(ap);
    _exit(status);
}
