/* landing.h: how indirect branches and returns find translated code.
 *
 *   table    A table of code addresses in the lower 2 GB, indexed by some bits of the application's address.
 *            The branch jumps to whatever is there; the code that it reaches, a landing, compares the whole address and
 *            goes on to the next landing of the same slot, or to the dispatcher. The comparison is at the target so that
 *            each branch has its own jump instruction to predict, and no copy of the address to compare with.
 *            Returns use the same table by default.
 *            Addresses that share a slot, because they differ in upper bits only, are a chain of landings; of too many, the
 *            others are in the hash (hash.c), which the last of the chain leads to: 2000 routines at the beginning of a page each,
 *            called in any order, take 1.2 times their native time; without it 6 times.
 *   site     Returns have a larger table of their own, and the place behind each call is a landing from the start; the
 *            trace goes on there. The table is not filled with a default: an empty entry sends the return to address 0,
 *            and the signal handler sends it on (arch_mend_stray_pc).
 *   precall  As site, but a call is a real call instruction, so that the CPU's return predictor works; the word it pushes
 *            is dropped at once. One routine for all returns searches a table of another kind (returns.h), pushes what it
 *            finds, and returns to it.
 *   auto     table, until the program has more targets than the CPU can predict, and has run long enough to pay for a
 *            second translation; from then on precall, with short traces.
 *   hash     One shared routine searches a hash table (entry.S). Needs no low memory.
 *
 * `precall` writes one word beyond the application's top of stack, for the length of one instruction; --strict forbids
 * it. */
#ifndef X86_LANDING_H
#define X86_LANDING_H
#include "arch/x86/emit.h"
#include "engine/cache/trace.h"

extern bool x86_has_tables;          /* table scheme for indirect branches */
extern bool x86_has_sites;           /* the place behind a call is a landing of its own, and the trace goes on there */
extern bool x86_precall;             /* and the call is a call instruction, the return a return */
extern bool x86_has_adapted;         /* ... since the program has proved too large for the table */

/* PIECE: a call entry out of line, in no table. JUNCTION: no target at all (junction.h). */
enum { LAND_JUMP, LAND_RETURN, N_TABLES, LAND_PIECE = N_TABLES, LAND_JUNCTION };

#define TABLE_JUMP      0x7f000000ul
#define TABLE_RETURN    0x7f200000ul
#define TABLE_MASK      0x7f080000ul             /* a word between them: the bits of a return address that pext takes */
#define RETURN_MASK     (TABLE_MASK + 4)         /* with precall: of its hash */
#define NEAR_LO         (TABLE_MASK + PAGE_SIZE) /* what is left between them: counters (arch_near_memory) */
#define RETURN_SLOTS    (1ul << 19)              /* with precall: of 16 bytes, at the most */
#define RETURN_SPILL    (2 * PAGE_SIZE)          /* behind them */
#define TABLE_SHARED_END (TABLE_RETURN + RETURN_SLOTS * 16 + RETURN_SPILL)
#define JUMP_SLOTS      65536ul                  /* by the low 16 bits */
#define MAX_RETURN_SLOTS (1ul << 19)             /* by 19 bits from bit 2 on, where pext is fast; else by the low 16 */

struct landing {
    addr_t pc;
    ref_t next;                      /* in the slot */
    ref_t next_of_trace;
    u32 code;                        /* cache offset */
    u32 miss;                        /* cache offset of the displacement that leads to the next one */
    u8 kind;
    bool is_piece;                   /* its code is not part of the trace */
    u8 depth;                        /* how many the slot had with it */
    bool leads_to_hash;              /* ... of which the last one does */
    ref_t target;                    /* its record in the hash, if the slot had too many */
};

enum { TF_CALL_PREFIX = 2, TF_LAND_JUMP = 4, TF_LAND_RETURN = 8, TF_CALL_PIECE = 16 };
enum { CALL_PREFIX_LEN = 5 };

/* Emit a landing for `pc`; what follows is reached with the application's state restored. */
void put_jump_landing(struct emit *e, addr_t pc);
void put_return_landing(struct emit *e, addr_t pc);
void put_push_const(struct emit *e, u64 v);                   /* control.c */
void put_drop_word(struct emit *e);                           /* lea rsp, [rsp+8] */
const u8 *x86_call_entry(struct trace *t);                    /* where a real call enters t; NULL: no room to make it */
const u8 *x86_call_piece(const struct trace *t);              /* the same, if that is not in front of its code; NULL: it is not */
void x86_landing_init(void);

/* hash.c */
void *x86_hash_add(struct trace *t);                          /* its record there */
void x86_hash_free(void *target);                             /* when nobody can be on it any more; may be NULL */
bool x86_hash_is_used(void);
void x86_hash_remove(struct trace *t);
void x86_hash_clear(void);
u8 x86_own_kind(const struct insn *in);         /* enum insn_kind, whatever the trace made of it (leaf.c) */
#endif
