/* outfile.c: see outfile.h. */
#include "engine/outfile.h"
#include "base/print.h"
#include "base/sys.h"
#include "loader/rt.h"

static int first_pid;
static bool is_forked;

void outfile_init(void)
{
    if (!first_pid)
        first_pid = sys_getpid();
}

void outfile_forked(void) { is_forked = true; }

/* Nobody tells of a fork in probe mode; and in another pid namespace a child may have its parent's pid. */
bool outfile_is_child(void) { return rt_handoff()->is_followed || is_forked || sys_getpid() != first_pid; }

struct name { char *at; size_t n; };

static void put(struct name *p, const char *text, size_t size)
{
    size = MIN(size, OUTFILE_PATH_MAX - 1 - p->n);
    memcpy(p->at + p->n, text, size);
    p->at[p->n += size] = 0;
}

static void put_number(struct name *p, const char *before, u32 number)
{
    char text[16];
    put(p, text, ct_format(text, sizeof text, "%s%u", before, number));
}

bool outfile_expand(char *path, const char *pattern)
{
    struct name p = { path, 0 };
    bool has_pid = false;
    path[0] = 0;
    for (const char *c = pattern; *c; c++) {
        if (c[0] == '%' && c[1] == 'p') {
            put_number(&p, "", (u32)sys_getpid());
            has_pid = true;
            c++;
        } else {
            put(&p, c, 1);
        }
    }
    return has_pid;
}

static bool begins(const char *path, const char *with) { return !strncmp(path, with, strlen(with)); }

/* Something else than a file of that name: all processes write to it. */
static bool is_device(const char *path)
{
    return begins(path, "/proc/") || (begins(path, "/dev/") && !begins(path, "/dev/shm/"));
}

enum { WRITE_NEW = 01 | 0100 | 02000000, EXCLUSIVE = 0200, TRUNCATE = 01000 };     /* O_WRONLY | O_CREAT | O_CLOEXEC, O_EXCL, O_TRUNC */

static long open_file(const char *path, int flags)
{
    long fd = sys4(__NR_openat, -100, path, WRITE_NEW | flags, 0666);
    return sys_failed(fd) ? fd : rt_fd_protect((int)fd);
}

static long open_distinct(char *path)
{
    enum { LAST = 10000 };
    struct name p = { path, strlen(path) };
    size_t n = p.n;
    long fd = open_file(path, EXCLUSIVE);
    for (u32 number = 1; fd == -E_EXIST && number < LAST; number++) {
        p.n = n;
        put_number(&p, ".", number);
        fd = open_file(path, EXCLUSIVE);
    }
    return fd;
}

long outfile_open(char *path, const char *pattern)
{
    bool has_pid = outfile_expand(path, pattern);
    if (is_device(path) || !outfile_is_child())
        return open_file(path, TRUNCATE);
    if (!has_pid) {
        struct name p = { path, strlen(path) };
        put_number(&p, ".", (u32)sys_getpid());
    }
    return open_distinct(path);
}

const char *outfile_why(long error)
{
    static const struct { u8 error; const char *words; } known[] = {
        { 1, "operation not permitted" }, { 2, "no such file or folder" }, { 6, "nobody reads it" }, { 13, "permission denied" },
        { 20, "not a folder" }, { 21, "is a folder" }, { 23, "too many open files" }, { 24, "too many open files (ulimit -n)" },
        { 26, "it is being executed" }, { 27, "file too large (ulimit -f)" }, { 28, "no space left" }, { 30, "read-only file system" },
        { 36, "the name is too long" }, { 40, "too many symbolic links" }, { 122, "quota exceeded" },
    };
    static char other[24];
    for (u32 i = 0; i < ARRAY_LEN(known); i++)
        if (known[i].error == -error)
            return known[i].words;
    ct_format(other, sizeof other, "error %ld", -error);
    return other;
}
