/* replace.h: routines of the application whose place a routine of the tool takes.
 *
 * A trace does not run into the entry of a replaced routine; the trace that begins there leaves for the dispatcher, which
 * calls the tool and returns in the routine's stead. The routine itself can still be run: its entry translated as it is is
 * a trace of its own version, VERSION_ORIGINAL, which only the dispatcher finds. */
#ifndef JIT_REPLACE_H
#define JIT_REPLACE_H
#include "arch/arch.h"

struct call;
struct thread;

enum { VERSION_ORIGINAL = 0xffffffffu };

/* Both take the cache lock. call: arguments and routine (jit/instrument.h); NULL arguments mean the routine's own. */
void replace_add(addr_t pc, const struct call *call, bool has_signature, bool returns_float);
void replace_remove(addr_t lo, addr_t hi);
bool replace_has(addr_t pc);                              /* takes the cache lock */
extern u32 replace_count;
bool replace_find(addr_t pc);
static inline bool replace_is_at(addr_t pc) { return replace_count && replace_find(pc); }     /* cache lock held */
void replace_perform(struct thread *t, addr_t pc);        /* t is at pc: call the tool, then return to the caller */
#endif
