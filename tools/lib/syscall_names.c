/* syscall_names.c: see syscalls.h. The names are made from the system's headers when Cotter is built. */
#include "tool.h"
#include "syscalls.h"
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
