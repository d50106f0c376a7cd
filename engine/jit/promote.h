/* promote.h: calls that only count.
 *
 * A call whose routine does nothing but add constants to words of memory (the arch finds out) is no call any more but a
 * list of sums. Sums of one word that meet between two places where somebody could see the word become one, at the place
 * where it costs least. A word that many places count in is *promoted*: its places add to a few private slots in turn,
 * because additions to one word wait for each other, and the slots are *folded* into the word before tool code runs.
 * Several words that one stretch counts in make a *group*: a slot of the stretch's own counts how often it ran.
 *
 * Records in a buffer are written in the trace; that the thread's place in the buffer moves on is a sum like any other,
 * and whether there is room is asked once, at the head of the stretch, for the stretches behind it, too, as long as no call
 * comes between that could write records of its own.
 *
 * A repeated instruction is made iteration by iteration, for the tool is called at each. Where it only counts them, and their
 * number is known beforehand, they are counted and made at once; one that is interrupted counts again what is left.
 *
 *  (1) Tool code always finds in a word what it would find without all this: every way into it folds first.
 *  (2) A thread that leaves a trace in the middle (a fault, a signal) is *settled*: sums that were moved across the place
 *      where it left are added or taken back.
 *  (3) A slot only grows, by what its places add; folding remembers what it has passed on. So a word that several threads
 *      count in without a lock loses what it would lose anyway, and gains nothing.
 *  (4) Code that stands in a trace and may look at any word, and a tool with threads of its own, end promotion for good. */
#ifndef JIT_PROMOTE_H
#define JIT_PROMOTE_H
#include "base/lock.h"
#include "engine/jit/instrument.h"

/* What a counting call adds. */
struct count {
    u64 at;                                     /* an address; is_tls: relative to the thread pointer */
    s64 amount;
    u8 size;                                    /* 4 or 8 */
    bool is_tls;
};
enum { MAX_COUNTS = 4 };

/* A CALL_COUNT call, which has no routine: arg[0] is the word, arg[1] the amount, buffer the size (and COUNT_TLS). */
enum { COUNT_TLS = 0x80 };
static inline u64 count_at(const struct call *c) { return c->arg[0].value; }
static inline s64 count_amount(const struct call *c) { return (s64)c->arg[1].value; }

/* The arch: is this call a record that emitted code can write? Where the thread keeps its place, and a record's size. */
enum { MAX_RECORDS = 64 };                      /* for one look at the room: a buffer goes on for that many behind its end */
bool arch_records(const struct view *v, u32 i, enum point p, const struct call *c);
/* Predicated ones (CALL_PREDICATED) only in front of the instruction; room, sum and records then follow each other. */
void arch_record_place(const struct call *c, struct count *out);

/* Does the call only count or record? So it leaves the application's registers and memory alone. */
bool promote_takes(const struct view *v, u32 i, enum point p, const struct call *c);

/* Between callbacks and emission, under the cache lock: may flush the cache. */
void promote_run(const struct view *v);
/* All that is asked of the trace is to count in one word, it has no transfer but jumps and branches, and it leads back to itself (WHOLE)
 * or may be a part of a loop with others that count in the same word: the arch may keep the word in a register while control stays in
 * such traces, and store it at every other way out. */
enum loop_kind { LOOP_NONE, LOOP_WHOLE, LOOP_PART };
enum loop_kind promote_loop(void);
u64 promote_loop_word(void);
/* The trace is emitted; entry[i] is the map record where instruction i starts. What settling it takes, or NULL. */
void *promote_keep(const u16 *entry, bool is_in_register);

/* In a signal handler: thread `self` leaves t at map record `entry`; has_begun: inside that instruction. If it is a repeated one,
 * that many iterations are left. in_register: the word that is kept in a register, if it is. */
void promote_settle(const struct trace *t, u32 entry, bool has_begun, u64 left, u64 in_register);

/* The tool has a callback for new code. If none of them looks at a word that is promoted, they run without folding: with
 * thousands of groups that is most of what they cost. is_blind: see arch_sees_words_only. */
void promote_callback(const void *fn, bool (*is_blind)(const void *fn));
/* Do all of them look at nothing but the code that they are shown, and leave nothing behind but requests? Then nobody can tell when, or
 * how often, they are called. */
bool promote_callbacks_are_pure(void);
bool promote_spare(bool on);                    /* this thread runs them; do they? */

void promote_fold(void);                        /* tool code is about to run */
void promote_fold_in_visit(void) ARCH_KEEPS_REGISTERS;      /* the same, from emitted code: when it happens too often, promotion ends */
bool promote_keeps_registers(const void *fn);               /* a routine of the engine's own: ARCH_KEEPS_REGISTERS */
bool promote_folds_visits(void);                /* must a call that may look at memory fold first? Notes that one was made. */
struct lock *promote_lock(void);                /* of whoever folds */
bool promote_is_shared(void);                   /* there are threads, or have been */
void promote_not_alone(void);                   /* the application is about to have another thread. No lock held. */
void promote_come_home(void);                   /* the arch's near memory goes; no code is left that adds to it. Cache lock held. */
void promote_forked(void);                      /* in the child: nobody is folding */
void promote_forbid(void);                      /* from now on, no word is promoted. Cache lock held. */
#endif
