/* find.c: see find.h. */
#include "launcher/find.h"
#include "launcher/say.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What execvp() searches when PATH is not set. */
#define DEFAULT_PATH "/bin:/usr/bin"

static bool is_executable(const char *path, bool *exists)
{
    struct stat st;
    if (stat(path, &st)) {
        *exists = *exists || errno == EACCES;
        return false;
    }
    *exists = true;
    return S_ISREG(st.st_mode) && !access(path, X_OK);
}

const char *find_program(const char *name)
{
    static char path[PATH_MAX];
    if (!name[0])
        fail(STATUS_NOT_FOUND, "the program's name is empty");
    if (strchr(name, '/'))
        return name;
    const char *list = getenv("PATH");
    bool exists = false;
    for (const char *p = list ? list : DEFAULT_PATH;; p++) {
        size_t n = strcspn(p, ":");
        int used = snprintf(path, sizeof path, "%.*s%s%s", (int)n, p, n ? "/" : "", name);
        if (used < (int)sizeof path && is_executable(path, &exists))
            return path;
        p += n;
        if (!*p)
            break;
    }
    if (exists)
        fail(STATUS_CANNOT_EXECUTE, "cannot execute %s: permission denied", name);
    fail(STATUS_NOT_FOUND, "%s: command not found", name);
}
