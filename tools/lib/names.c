/* names.c: see names.h. */
#include "tool.h"
#include "names.h"
#include <fnmatch.h>

static int nesting(char c) { return !c ? 0 : strchr("<([{", c) ? 1 : strchr(">)]}", c) ? -1 : 0; }

/* Where the parameters begin: at the parenthesis that belongs to the last one. What follows that (const, [clone ...]) is no name. */
static size_t name_length(const char *name)
{
    const char *last = strrchr(name, ')');
    int depth = 0;
    for (const char *p = last; p && p >= name; p--) {
        depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
        if (!depth)
            return (size_t)(p - name);
    }
    return strlen(name);
}

/* Templates are shown with what they return. An operator's name may have blanks and brackets in itself. */
static const char *behind_result(const char *name)
{
    const char *operator = strstr(name, "operator"), *start = name;
    int depth = 0;
    for (const char *p = name; *p && (!operator || p < operator); p++) {
        depth += nesting(*p);
        if (*p == ' ' && !depth)
            start = p + 1;
    }
    return start;
}

bool name_fits(const char *pattern, const char *name)
{
    if (!fnmatch(pattern, name, 0))
        return true;
    if (!strchr(name, '('))
        return false;
    char *bare = strndup(name, name_length(name));
    bool fits = !fnmatch(pattern, behind_result(bare), 0);
    free(bare);
    return fits;
}

bool name_fits_any(const char *patterns, const char *name)
{
    char *list = strdup(patterns), *start = list;
    bool fits = false;
    int depth = 0;
    for (char *p = list;; p++) {
        bool is_end = !*p;
        if (is_end || (*p == ',' && depth <= 0)) {
            *p = 0;
            fits |= *start && name_fits(start, name);
            start = p + 1;
        }
        if (is_end)
            break;
        depth += nesting(*p);
    }
    free(list);
    return fits;
}
