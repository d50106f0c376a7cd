/* r11.h: who owns r11.
 *
 * The engine needs a register where the application has none to spare: to find the target of an indirect branch, to reach
 * data that rip-relative code addresses. Parking one in memory for each use and fetching it back costs little by itself, but
 * the next use parks what the last one fetched: a chain through memory that is as long as the program. Compilers use r11
 * least. So:
 *
 *  (1) In a trace that does not use r11, it belongs to the engine. The application's value is at home: thread->r11.
 *  (2) In a trace that uses it, or has an analysis call that names it, r11 is the application's (TF_R11), and home may be
 *      out of date. Where r11 is the engine's, inlined code and bridges may overwrite it; a call that sees all registers
 *      finds the application's (bridge.c).
 *  (3) Indirect branches, calls and all ways to the dispatcher leave with r11 at home. Landings lead to x86_entry, which
 *      loads it where the trace wants it.
 *  (4) A direct link between two traces that both use r11 leaves it where it is. So that a loop does not take it home and
 *      back in each round, whatever is reached by jumps from a trace that uses r11 counts as using it: in effect the rest
 *      of the function. Calls end that; and a trace that writes records (record.c) had better have a register for them.
 *  (5) A loop that only counts, in one word, has that word in r11 (TF_COUNTS, engine/jit/promote.h) if nothing else in it needs r11.
 *      It is loaded in front of the code and stored by the stubs of exits; those to a trace with the same word in r11 (its binding)
 *      lead to the code itself. A loop may have several traces: such as lead back to one that counts or is not made yet, and
 *      whatever is reached by jumps from a trace that counts. */
#ifndef X86_R11_H
#define X86_R11_H
#include "arch/x86/emit.h"
#include "engine/cache/trace.h"

enum { TF_COUNTS = 1, TF_R11 = 32, TF_RECORDS = 64, TF_BOUND = 128 };     /* RECORDS: it writes some, and has r11 unless it names it */
enum { R11_LOAD_LEN = 9, COUNT_LEN = 8 };

static inline bool x86_owns_r11(const struct emit *e) { return !(e->arch_flags & TF_R11); }     /* does the engine? */
static inline void put_r11_home(struct emit *e)
{
    if (!x86_owns_r11(e))
        put_store_tls(e, R11, AT_R11);
}
static inline void put_r11_load(struct emit *e)
{
    if (!x86_owns_r11(e))
        put_load_tls(e, R11, AT_R11);
}

static inline bool x86_counts(const struct emit *e) { return e->arch_flags & TF_COUNTS; }

/* Where to enter a trace with r11 at home; trace_code(t) wants it in place, or (TF_BOUND) what park.h tells, or (TF_COUNTS) a count. */
u32 x86_bind_len(u8 arch_flags, u32 binding);               /* park.c */
static inline u32 x86_entry_len(u8 arch_flags, u32 binding)
{
    return arch_flags & TF_R11 ? R11_LOAD_LEN : arch_flags & TF_BOUND ? x86_bind_len(arch_flags, binding) : arch_flags & TF_COUNTS ? COUNT_LEN : 0;
}
static inline u8 *x86_entry(const struct trace *t) { return trace_code(t) - x86_entry_len(t->arch_flags, trace_binding(t)); }

/* Only an extension bit together with a 3 can name r11, in any of the fields that it extends; most instructions have none. */
static inline bool x86_may_name_r11(const struct x86_insn *x)
{
    if (x->enc != X86_ENC_LEGACY)
        return true;
    if (!(x->rex & 7))
        return false;
    bool base = x->has_modrm ? (x->modrm & 7) == 3 || (x->sib & 7) == 3 : (x->opcode & 7) == 3;
    return (x->rex & 1 && base) || (x->rex & 2 && (x->sib >> 3 & 7) == 3) || (x->rex & 4 && (x->modrm >> 3 & 7) == 3);
}
enum { NOTE_R11 = 1 };                         /* of an instruction, insn.arch_note: that */

bool x86_uses_r11(const struct insn *list, u32 n);
bool x86_leaves_r11(const struct insn *list, u32 n);   /* does emitting them take no r11, either? */
/* Registers that are arguments or results of calls, in the trace that is about to be emitted (liveness.c). */
u16 x86_named_by_calls(const struct insn *list, u32 n);
u16 x86_named(void);                           /* the same again */
bool x86_has_inlinable(void);                  /* are there any that may stand in the trace? */
void put_count_load(struct emit *e);           /* count.c: r11 = promote_loop_word */
void put_count_store(struct emit *e);          /* and back; both of COUNT_LEN */
bool x86_has_records(void);                    /* are there any among these calls? */
#endif
