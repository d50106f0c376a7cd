/* syscall_names.c: see syscalls.h. The names are made from the system's headers when Cotter is built. */
#include "tool.h"
#include "syscalls.h"
#include <fnmatch.h>
#include <sys/syscall.h>

static const char *const names[] = {
#define NR(name) [__NR_##name] = #name,
#include <syscall_numbers.h>
#undef NR
};
enum { COUNT = sizeof names / sizeof names[0] };

INT64 syscall_count(VOID) { return COUNT; }

const char *syscall_name(UINT64 number)
{
    static __thread char text[32];
    if (number < COUNT && names[number])
        return names[number];
    snprintf(text, sizeof text, "syscall_%lu", number);
    return text;
}

INT64 syscall_number(const char *name)
{
    for (INT64 i = 0; i < COUNT; i++)
        if (names[i] && !strcmp(names[i], name))
            return i;
    return -1;
}

static bool any_has(const char *glob)
{
    for (INT64 i = 0; i < syscall_count(); i++)
        if (!fnmatch(glob, syscall_name((UINT64)i), 0))
            return true;
    return false;
}

char *syscall_unknown(const char *names)
{
    char *list = strdup(names), *save, *unknown = NULL;
    for (char *glob = strtok_r(list, ",", &save); glob && !unknown; glob = strtok_r(NULL, ",", &save))
        if (!any_has(glob))
            unknown = strdup(glob);
    free(list);
    return unknown;
}
