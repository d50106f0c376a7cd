/* sym_demangle.c: C++ (and Rust) names as their authors wrote them, through libiberty. */
#include <stdlib.h>
#include <libiberty/demangle.h>
#include "api/sym_int.h"

/* Deep nesting costs stack and time; no compiler writes such names. */
enum { MAX_NAME = 32 * 1024 };

/* NAME@plt, NAME@@VERSION: only the part before the @ is mangled. */
static char *demangle_head(const char *name, size_t head_len, int options, bool with_tail)
{
    char *head = strndup(name, head_len);
    char *plain = head ? cplus_demangle(head, options) : NULL;
    free(head);
    if (!plain || !with_tail || !name[head_len])
        return plain;
    size_t n = strlen(plain), m = strlen(name + head_len);
    char *whole = realloc(plain, n + m + 1);
    if (!whole) {
        free(plain);
        return NULL;
    }
    memcpy(whole + n, name + head_len, m + 1);
    return whole;
}

char *sym_demangle(const char *name, bool name_only)
{
    if (name[0] != '_' || strnlen(name, MAX_NAME) == MAX_NAME)
        return NULL;
    int options = DMGL_AUTO | DMGL_ANSI | (name_only ? 0 : DMGL_PARAMS);
    return demangle_head(name, strcspn(name, "@"), options, !name_only);
}
