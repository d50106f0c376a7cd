/* names.h: names of routines as a user gives them: patterns with * and ?. A function of C++ is found by its whole name, as reports
 * show it, or without its result and parameters: `std::swap<int>` is void std::swap<int>(int&, int&). */
#ifndef TOOLS_NAMES_H
#define TOOLS_NAMES_H
bool name_fits(const char *pattern, const char *name);
bool name_fits_any(const char *patterns, const char *name);     /* separated by commas, but for those within <>, () and [] */
#endif
