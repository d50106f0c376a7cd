/* context.h: the call stack as part of a trace's static context: function cloning (--returns=clone).
 *
 * A trace is made anew for each way in which calls have led to it, the last --clone-depth of them. So its return has one
 * place to go to, which is known when it is translated. Each such stack has a number; it stands where otherwise the version
 * is that a tool has given the trace.
 *
 *  (1) A context is a guess, and nothing relies on it: a return compares the address it finds with the one it expects.
 *  (2) Numbers are never given back; when there are no more, and for traces with a version of the tool's, there is no context.
 *      All under the cache lock. */
#ifndef JIT_CONTEXT_H
#define JIT_CONTEXT_H
#include "base/types.h"

enum { CONTEXT_FIRST = 0x8000, CONTEXT_LAST = 0xffff };
static inline bool is_context(u32 version) { return version >= CONTEXT_FIRST && version <= CONTEXT_LAST; }
static inline u32 context_of(u32 version) { return is_context(version) ? version : 0; }
static inline u32 tool_version(u32 version) { return is_context(version) ? 0 : version; }

u32 context_push(u32 version, addr_t back);    /* in a callee that will return to `back`; 0: none is kept */
u32 context_pop(u32 context, addr_t *back);    /* the caller's; *back: where it goes on, 0: not known */
#endif
