/* report.c: where a tool writes. The application may close or redirect its standard streams before the report is due, so
 * the tool's are copies with private descriptors. */
#include "api/api.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void make_private(FILE *f)
{
    int fd = dup(f->_fileno);
    if (fd >= 0)
        f->_fileno = fd;
}

void streams_init(void)
{
    make_private(stdout);
    make_private(stderr);
}

static void expand(char *to, size_t size, const char *pattern)
{
    size_t n = 0;
    for (const char *p = pattern; *p && n + 16 < size; p++) {
        if (p[0] == '%' && p[1] == 'p') {
            n += (size_t)snprintf(to + n, size - n, "%d", getpid());
            p++;
        } else {
            to[n++] = *p;
        }
    }
    to[n] = 0;
}

FILE *COTTER_OpenReport(const char *pattern)
{
    char path[4096];
    if (!pattern || !*pattern)
        return stderr;
    expand(path, sizeof path, pattern);
    FILE *f = fopen(path, "w");
    if (f)
        return f;
    fprintf(stderr, "cotter: cannot write %s: %s; the report follows\n", path, strerror(errno));
    return stderr;
}
