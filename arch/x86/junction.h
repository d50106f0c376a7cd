/* junction.h: an indirect branch that remembers its own targets.
 *
 * A junction is one indirect jump, call or return in one trace. Its last instruction is a direct jump that is aimed anew as
 * the program runs:
 *
 *   chain   guards, one behind the other. A guard compares the wanted address with one target, and goes there or on to the
 *           next. It grows at its end, up to the length that the scheme allows.
 *   table   when the chain is full: 256 entries of the junction's own. An entry leads to guards, too, so the comparison is
 *           at the target, and targets that share an entry are one behind the other.
 *   end     the dispatcher, which adds a guard for the address that was not there. A junction that has too many, or cannot
 *           get a table, ends in the table that all share (landing.h) instead, or in the hash.
 *
 * Schemes differ in the length of the chain: local has none, guard one, chain --chain=N. With shadow, a jump whose index into a
 * table of the application's is known (shadow.c) has no chain, and a table indexed by that; other branches are as with guard.
 *
 *  (1) A guard stays as long as its junction does. Its way to the target is an exit (cache/trace.h) and is linked and unlinked
 *      as any other: a target that goes takes nothing of the junction with it.
 *  (2) Jumps and table entries change by one aligned store, under the cache lock; branches read them without.
 *  (3) r11 is the address that is wanted, rcx is parked in slot 1, the flags are the application's. */
#ifndef X86_JUNCTION_H
#define X86_JUNCTION_H
#include "arch/x86/landing.h"

enum { NO_JUNCTION = -1 };
extern s32 x86_chain[N_BRANCHES];           /* how long chains are, by kind of branch; NO_JUNCTION: another scheme is used */

#define TABLES_LOCAL    TABLE_SHARED_END             /* low memory, so that 32 bits name an entry */
#define TABLES_LOCAL_END 0x7fe00000ul
#define LOCAL_MASK      (TABLE_MASK + 8)             /* words for pext: the bits that index a table, by kind of branch */
enum { LOCAL_SLOTS = 256 };

struct junction;
struct guard;

void x86_junction_init(void);
/* The junction of a branch in the trace that e holds, in two parts: its end, then its jump, which may be in a stub. */
struct junction *x86_junction_new(struct emit *e, enum branch_kind kind, u32 context);   /* of its targets (jit/context.h) */
void x86_junction_shadow(struct junction *j, s32 index);       /* its table is indexed by this register; before put_junction */
void put_junction(struct emit *e, struct junction *j);
/* In front of it one target that is known beforehand: falls through, with rcx back in place, if r11 is that. NULL: no
 * junction, but the tables. rcx is parked already. */
void put_compare_at(struct emit *e, const u8 *minus_pc, struct junction *j);
/* j wanted `to` and did not have it; the registers are those of the application. */
void x86_junction_add(struct junction *j, const struct arch_regs *r, struct trace *to);

extern bool x86_has_shadows;
s32 x86_jump_index(const struct insn *list, u32 i);            /* shadow.c: -1: not known */

void put_found(struct emit *e, enum found_by how);             /* with --stats: count. r11 is free. */

/* For landing.c, on whose list of a trace's records junctions are. */
void x86_junction_commit(struct landing *l, struct trace *t);
void x86_junction_remove(struct landing *l);
void x86_junction_forget(struct landing *l);
void x86_junction_free(struct landing *l);
#endif
