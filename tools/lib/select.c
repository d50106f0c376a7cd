/* select.c: see select.h. */
#include "tool.h"
#include "names.h"
#include "select.h"
#include <fnmatch.h>

KNOB_TEXT(routine_glob, "routine", "*", "only code of routines with such a name");
KNOB_TEXT(image_glob, "image", "*", "only code of images with such a name (without folders)");
KNOB_FLAG(only_main, "main", "only code of the program itself, not of libraries");

static bool has_found;

bool select_wants(const struct routine *r)
{
    bool wants = name_fits(routine_glob, r->name) && !fnmatch(image_glob, r->image->name, 0) && (!only_main || r->image->is_main);
    has_found |= wants;
    return wants;
}

/* Of several processes not all need to have what is looked for. */
VOID select_tell(VOID)
{
    bool is_all = !strcmp(routine_glob, "*") && !strcmp(image_glob, "*") && !only_main;
    if (!has_found && !is_all && !COTTER_IsChildProcess())
        fprintf(stderr, "%s: no code that ran is of a routine '%s' in %s '%s'\n", tool_name(), routine_glob,
                only_main ? "the program itself, an image" : "an image", image_glob);
}
