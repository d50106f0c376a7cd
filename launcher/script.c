/* script.c: see script.h. `#! interpreter argument`: the rest of the line is one argument. */
#include "launcher/script.h"
#include "launcher/say.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_KERNEL = 256, DEPTH_MAX = 5 };

static int read_line(const char *path, char *line)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, line, LINE_MAX_KERNEL - 1);
    if (fd >= 0)
        close(fd);
    if (n < 3 || line[0] != '#' || line[1] != '!')
        return 0;
    line[n] = 0;
    line[strcspn(line, "\n")] = 0;
    return 1;
}

static char *trim(char *s)
{
    s += strspn(s, " \t");
    size_t n = strlen(s);
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        s[--n] = 0;
    return s;
}

/* interpreter [argument] path argv[1]... */
static char **insert(char *interp, char *argument, const char *path, char **argv)
{
    int n = 0, used = 0;
    while (argv[n])
        n++;
    char **out = calloc((size_t)n + 4, sizeof *out);
    if (!out)
        fail(STATUS_FAILED, "out of memory");
    out[used++] = interp;
    if (*argument)
        out[used++] = argument;
    out[used++] = (char *)path;
    for (int i = 1; i < n; i++)
        out[used++] = argv[i];
    return out;
}

void script_resolve(const char **path, char ***argv)
{
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        char line[LINE_MAX_KERNEL];
        if (!read_line(*path, line))
            return;
        char *interp = trim(strdup(line + 2)), *argument = interp + strcspn(interp, " \t");
        if (*argument)
            *argument++ = 0;
        *argv = insert(interp, trim(argument), *path, *argv);
        *path = interp;
    }
}
