/* hooks.h: what the engine calls in a tool. Filled by api/; empty without a tool. */
#ifndef ENGINE_HOOKS_H
#define ENGINE_HOOKS_H
#include "base/types.h"
extern struct hooks {
    void (*fini)(void);
} hooks;
#endif
