/* toolsym.h: names of the functions in the planted file, for the report of a crash: no heap, no lock, no libc. */
#ifndef ENGINE_TOOLSYM_H
#define ENGINE_TOOLSYM_H
#include "base/types.h"
struct toolsym { const char *name; addr_t lo, hi; };                 /* offsets in the image */
bool toolsym_find(const char *path, addr_t offset, struct toolsym *out);   /* false: unknown */
#endif
