/* report.c: where a tool writes. The application may close or redirect its standard streams, change its folder or fork before
 * the report is due, so the tool's streams are copies with private descriptors, and the folder is remembered. */
#include "api/api.h"
#include "base/print.h"
#include "engine/outfile.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[4096];

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
    print_stderr = stderr->_fileno;
    outfile_init();
    if (!getcwd(folder, sizeof folder))
        folder[0] = 0;
}

BOOL COTTER_IsChildProcess(VOID) { return outfile_is_child(); }

/* ---- the file ---- */
static void absolute(char *to, size_t size, const char *pattern)
{
    snprintf(to, size, "%s%s%s", pattern[0] == '/' ? "" : folder, pattern[0] == '/' || !folder[0] ? "" : "/", pattern);
}

static FILE *open_pattern(char *path, const char *pattern)
{
    char whole[OUTFILE_PATH_MAX];
    absolute(whole, sizeof whole, pattern);
    long fd = outfile_open(path, whole);
    if (fd >= 0)
        return fdopen((int)fd, "w");
    errno = (int)-fd;
    return NULL;
}

FILE *COTTER_OpenReport(const char *pattern)
{
    char path[OUTFILE_PATH_MAX];
    if (!pattern || !*pattern)
        return stderr;
    FILE *f = open_pattern(path, pattern);
    if (f)
        return f;
    fprintf(stderr, "cotter: cannot write %s: %s; the report follows\n", path, strerror(errno));
    return stderr;
}

/* A file that was not there is not left behind: the program could see it. A child runs on whatever becomes of its report, and
 * must not touch a file that another process may be about to write. */
VOID COTTER_CheckReport(const char *pattern)
{
    char path[OUTFILE_PATH_MAX], whole[OUTFILE_PATH_MAX];
    if (!pattern || !*pattern || outfile_is_child())
        return;
    absolute(whole, sizeof whole, pattern);
    outfile_expand(path, whole);
    bool is_there = !access(path, F_OK);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0 && errno != ENXIO) {                 /* a pipe that nobody reads yet */
        fprintf(stderr, "cotter: cannot write the report to %s: %s; give another file\n", path, strerror(errno));
        exit(125);
    }
    if (fd >= 0)
        close(fd);
    if (!is_there)
        unlink(path);
}
