/* path.h: paths that the application means otherwise than the kernel. */
#ifndef EMULATE_PATH_H
#define EMULATE_PATH_H
#include "base/types.h"
bool path_is_own_exe(addr_t path);        /* the application's string names its own /proc/.../exe */
#endif
