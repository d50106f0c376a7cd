/* report.c: where a tool writes. The application may close or redirect its standard streams, change its folder or fork before
 * the report is due, so the tool's streams are copies with private descriptors, and the folder is remembered. */
#include "api/api.h"
#include "base/print.h"
#include "loader/rt.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[4096];
static pid_t first_pid;

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
    first_pid = getpid();
    if (!getcwd(folder, sizeof folder))
        folder[0] = 0;
}

BOOL COTTER_IsChildProcess(VOID) { return rt_handoff()->is_followed || getpid() != first_pid; }

/* ---- the file ---- */
struct path { char at[2 * 4096 + 32]; size_t n; };

static void put(struct path *p, const char *s, size_t n)
{
    n = MIN(n, sizeof p->at - 1 - p->n);
    memcpy(p->at + p->n, s, n);
    p->at[p->n += n] = 0;
}

static void put_number(struct path *p, const char *before, u32 number)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%s%u", before, number);
    put(p, text, (size_t)n);
}

/* True: the name holds the pid. */
static bool expand(struct path *p, const char *pattern)
{
    bool has_pid = false;
    p->n = 0;
    p->at[0] = 0;
    if (pattern[0] != '/' && folder[0]) {
        put(p, folder, strlen(folder));
        put(p, "/", 1);
    }
    for (const char *c = pattern; *c; c++) {
        if (c[0] == '%' && c[1] == 'p') {
            put_number(p, "", (u32)getpid());
            has_pid = true;
            c++;
        } else {
            put(p, c, 1);
        }
    }
    return has_pid;
}

static bool is_device(const char *path) { return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6); }

/* A followed program may run in a process that has written a report already: that file exists. */
static FILE *open_new(struct path *p)
{
    size_t n = p->n;
    for (u32 number = 0; number < 10000; number++) {
        p->n = n;
        p->at[n] = 0;
        if (number)
            put_number(p, ".", number);
        int fd = open(p->at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fdopen(fd, "w");
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static FILE *open_pattern(struct path *p, const char *pattern)
{
    bool has_pid = expand(p, pattern);
    if (is_device(p->at))
        return fopen(p->at, "we");
    if (COTTER_IsChildProcess() && !has_pid)
        put_number(p, ".", (u32)getpid());
    return rt_handoff()->is_followed ? open_new(p) : fopen(p->at, "we");
}

FILE *COTTER_OpenReport(const char *pattern)
{
    struct path p;
    if (!pattern || !*pattern)
        return stderr;
    FILE *f = open_pattern(&p, pattern);
    if (f)
        return f;
    fprintf(stderr, "cotter: cannot write %s: %s; the report follows\n", p.at, strerror(errno));
    return stderr;
}

/* A file that was not there is not left behind: the program could see it. */
VOID COTTER_CheckReport(const char *pattern)
{
    struct path p;
    if (!pattern || !*pattern)
        return;
    expand(&p, pattern);
    bool is_there = !access(p.at, F_OK);
    int fd = open(p.at, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0 && errno != ENXIO) {                 /* a pipe that nobody reads yet */
        fprintf(stderr, "cotter: cannot write the report to %s: %s; give another file with -o\n", p.at, strerror(errno));
        exit(125);
    }
    if (fd >= 0)
        close(fd);
    if (!is_there)
        unlink(p.at);
}
