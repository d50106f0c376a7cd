/* select.c: see select.h. */
#include "tool.h"
#include "select.h"
#include <fnmatch.h>

KNOB_TEXT(routine_glob, "routine", "*", "only code of routines with such a name");
KNOB_TEXT(image_glob, "image", "*", "only code of images with such a name (without folders)");
KNOB_FLAG(only_main, "main", "only code of the program itself, not of libraries");

bool select_wants(const struct routine *r)
{
    return !fnmatch(routine_glob, r->name, 0) && !fnmatch(image_glob, r->image->name, 0) && (!only_main || r->image->is_main);
}
