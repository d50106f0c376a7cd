/* rules.c: see rules.h. */
#include "tool.h"
#include "rules.h"
#include "syscalls.h"
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <unistd.h>

struct rule { bool allows, only_writes; char *calls, *path, *text; };
static VEC(struct rule) rules;
static bool is_allowed_else = true;

/* ---- reading ---- */
static VOID check_calls(const char *calls, const char *from, int line_number)
{
    char *unknown = syscall_unknown(calls);
    if (unknown)
        tool_fail("%s:%d: no system call is called %s", from, line_number, unknown);
}

VOID rules_add(const char *line, const char *from, int line_number)
{
    char verb[16], calls[1024] = "", path[PATH_MAX] = "", more[2] = "";
    int n = sscanf(line, " %15s %1023s %4095s %1s", verb, calls, path, more);
    if (n < 1 || verb[0] == '#')
        return;
    bool allows = !strcmp(verb, "allow") || !strcmp(calls, "allow");
    if (!strcmp(verb, "default") && n == 2 && (allows || !strcmp(calls, "deny"))) {
        is_allowed_else = allows;
        return;
    }
    if ((strcmp(verb, "allow") && strcmp(verb, "deny")) || n < 2 || n > 3)
        tool_fail("%s:%d: not a rule: allow|deny CALLS [PATH], or default allow|deny", from, line_number);
    char *colon = strchr(calls, ':');
    if (colon && strcmp(colon, ":write"))
        tool_fail("%s:%d: after the calls only :write may stand, not %s", from, line_number, colon);
    struct rule r = { !strcmp(verb, "allow"), colon != NULL };
    if (colon)
        *colon = 0;
    check_calls(calls, from, line_number);
    r.calls = strdup(calls);
    r.path = n == 3 ? strdup(path) : NULL;
    r.text = need_text("%s %s%s%s%s", verb, calls, colon ? ":write" : "", n == 3 ? " " : "", path);
    VEC_ADD(rules, r);
}

VOID rules_read(const char *file)
{
    FILE *f = fopen(file, "re");
    char *line = NULL;
    size_t room = 0;
    if (!f)
        tool_fail("cannot read the rules in %s: %s", file, strerror(errno));
    for (int n = 1; getline(&line, &room, f) > 0; n++)
        rules_add(line, file, n);
    free(line);
    fclose(f);
}

const char *rule_text(int rule) { return rule ? rules.at[rule - 1].text : is_allowed_else ? "default allow" : "default deny"; }

/* ---- judging ---- */
static bool fits_name(const char *globs, const char *name)
{
    char list[1024], *save;
    snprintf(list, sizeof list, "%s", globs);
    for (char *glob = strtok_r(list, ",", &save); glob; glob = strtok_r(NULL, ",", &save))
        if (!fnmatch(glob, name, 0))
            return true;
    return false;
}

/* "." and ".." and double slashes, as text. */
static VOID tidy(char *path)
{
    char *to = path;
    for (char *p = path, *end; *p; p = end) {
        while (*p == '/')
            p++;
        end = p + strcspn(p, "/");
        size_t n = (size_t)(end - p);
        if (!n || (n == 1 && p[0] == '.'))
            continue;
        if (n == 2 && p[0] == '.' && p[1] == '.') {
            while (to > path && *--to != '/')
                ;
            continue;
        }
        *to++ = '/';
        memmove(to, p, n);
        to += n;
    }
    if (to == path)
        *to++ = '/';
    *to = 0;
}

/* A relative path means the folder of the descriptor before it, or the current one. */
static VOID make_absolute(char *full, size_t room, const char *path, bool has_folder, ADDRINT folder)
{
    char link[64], base[PATH_MAX] = "";
    if (path[0] != '/') {
        snprintf(link, sizeof link, has_folder && (int)folder != AT_FDCWD ? "/proc/self/fd/%d" : "/proc/self/cwd", (int)folder);
        ssize_t n = readlink(link, base, sizeof base - 1);
        base[n > 0 ? n : 0] = 0;
    }
    snprintf(full, room, "%s/%s", base, path);
    tidy(full);
}

/* With symbolic links followed; of a file that does not exist yet, those of its folder, and its own: a link may lead to what is
 * to be made. */
static VOID resolve(const char *path, char *real, int links)
{
    char folder[2 * PATH_MAX], target[PATH_MAX], next[3 * PATH_MAX + 1];
    if (realpath(path, real))
        return;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    slash[0] = 0;
    ssize_t n = links ? readlink(path, target, sizeof target - 1) : -1;
    if (n > 0) {
        target[n] = 0;
        snprintf(next, sizeof next, "%s/%s", target[0] == '/' ? "" : folder, target);
        tidy(next);
        resolve(next, real, links - 1);
        return;
    }
    if (!realpath(folder[0] ? folder : "/", real))
        snprintf(real, PATH_MAX, "%.*s", PATH_MAX - 1, path);
    else if (strlen(real) + strlen(slash + 1) + 2 < PATH_MAX)
        strcat(strcmp(real, "/") ? strcat(real, "/") : real, slash + 1);
}

/* What a link hides is not allowed by the link's name, and denied by either. */
static bool fits_path(const struct rule *r, const char *path)
{
    char real[PATH_MAX];
    resolve(path, real, 40);
    return !fnmatch(r->path, real, 0) || (!r->allows && !fnmatch(r->path, path, 0));
}

static bool fits_any_path(const struct rule *r, UINT64 number, const ADDRINT *arg)
{
    const char *spec = syscall_spec(number);
    char path[PATH_MAX], full[2 * PATH_MAX];
    for (int i = 0; spec[i] && i < 6; i++) {
        if (!syscall_path(number, arg, i, path, sizeof path))
            continue;
        bool has_folder = i && spec[i - 1] == 'D';
        make_absolute(full, sizeof full, path, has_folder, has_folder ? arg[i - 1] : 0);
        if (fits_path(r, full))
            return true;
    }
    return false;
}

static bool may_write(UINT64 number, const ADDRINT *arg)
{
    const char *flags = strchr(syscall_spec(number), 'F');
    if (!flags)
        return true;
    ADDRINT value = arg[flags - syscall_spec(number)];
    return (value & O_ACCMODE) != O_RDONLY || value & (O_CREAT | O_TRUNC);
}

struct verdict rules_judge(UINT64 number, const ADDRINT *arg)
{
    const char *name = syscall_name(number);
    for (size_t i = 0; i < rules.n; i++) {
        const struct rule *r = &rules.at[i];
        if (fits_name(r->calls, name) && (!r->only_writes || may_write(number, arg)) &&
            (!r->path || fits_any_path(r, number, arg)))
            return (struct verdict){ r->allows, (int)i + 1 };
    }
    return (struct verdict){ is_allowed_else, 0 };
}
