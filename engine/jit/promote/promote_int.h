/* promote_int.h: what the files of this folder share. promote.h tells what they do together.
 *
 *   run.c      the way through a trace
 *   gather.c   what becomes of each call: sums, a record, a countdown, or the call that it was
 *   stretch.c  the sums of one stretch of code, and where they cost least
 *   records.c  the records of one stretch, and whether there is room for them
 *   repeat.c   a repeated instruction whose iterations are counted at once
 *   loop.c     loops that count in a register
 *   words.c    what is known about each word that is counted in
 *   slots.c    slots and groups: what is added elsewhere, and folded
 *   near.c     where slots lie
 *   sight.c    callbacks that need no folding
 *   when.c     whether words may be promoted, and when that ends
 *   settle.c   a thread that leaves a trace in the middle
 *
 * All of it but folding and settling runs under the cache lock. */
#ifndef PROMOTE_INT_H
#define PROMOTE_INT_H
#include "engine/engine.h"
#include "engine/jit/promote.h"

/* ---- words.c ---- */
enum { PINNED = 0xffffffff };
struct word {
    u64 at;
    u32 places;                                 /* that count in it; PINNED: code in traces uses it itself */
    u16 number;                                 /* of its promotion + 1; 0: it is not promoted */
    bool is_grouped;                            /* a group counts for it */
    bool is_down;                               /* it is counted down */
};
struct word *word_at(u64 at);                   /* stays where it is only until the next call */
bool word_is_elsewhere(u64 at);                 /* what belongs to it may be in slots */

/* ---- slots.c ---- */
enum { MAX_PROMOTED = 4096, MAX_SUMS = 64 };    /* of all; of one stretch */
bool slots_can_add(const struct count *c, u32 n);           /* can emitted code add all these? */
void slots_redirect(struct count *c);                       /* to where it is to add: the word, or one of its slots */
u64 slots_group(struct count *const *c, u32 n);             /* these are counted together: where the runs are. 0: no */
void slots_pin(u64 at);                                     /* code in traces reads or writes this word itself */
u64 slots_row(u64 at);                                      /* the same number for all slots of a word */
u64 slots_first(u64 at);                                    /* of these; a word that is not promoted: itself */
bool promote_is_on(void);                                   /* is anything pending anywhere but in the words? */
u32 slots_fold_work(void);                                  /* what folding costs, roughly */
void slots_add_to(void *at, u32 size, u64 more);            /* to the word itself */

/* ---- near.c ---- */
void near_place(u64 **where, u64 *home, size_t size);       /* *where becomes memory for slots, all zero: home, or better */

/* ---- sight.c ---- */
bool sight_spares_folding(void);                            /* this thread runs callbacks that look at no such word */
bool sight_is_any(void);                                    /* callbacks may look at every word */
void sight_show(u64 at);                                    /* slots are about to hold what belongs to this word */

/* ---- when.c ---- */
extern struct promotion {
    bool is_forbidden;                                      /* for good */
    bool is_shared;                                         /* there are threads, or have been */
    bool has_visits;                                        /* calls were emitted that may look at memory */
    bool has_bulk;                                          /* a repeated instruction's iterations are made at once */
    bool has_loops;                                         /* that count in a register */
} promotion;
bool promote_may(void);
void promote_begin(void);                                   /* the first slot is about to be used */
void promote_end_countdowns(void);

/* ---- gather.c ---- */
void gather_before(const struct view *v, u32 i);            /* the calls in front of instruction i */
void gather_behind(const struct view *v, u32 i, enum point point);     /* those that stay where they are */
u32 gather_counts_of(const struct call *c, struct count *out);         /* what the call adds; 0: it does something else, too */
bool gather_may_be_bulk(const struct insn *in);

/* ---- stretch.c ---- */
void stretch_begin(void);
bool stretch_is_boundary(const struct view *v, u32 i);
bool stretch_has_room(u32 more);
void stretch_add(u32 i, struct call **link, const struct count *c);    /* counted at instruction i, at this place of its list */
/* It ends in front of the calls of instruction `last`, or (if it began there) at the present place of its list. */
void stretch_end(const struct view *v, u32 last);
bool stretch_end_each(u32 i);                               /* it is instruction i, a repeated one: counts are for each iteration */
struct call *stretch_new_count(const struct count *c, struct call *next);

/* ---- records.c ---- */
bool records_have_room(void);
void records_add(u32 i, struct call **link, struct call *c);
/* The thread's place moves on in front of instruction `to`; the first sum of the stretch stands at `home`, at *link. */
void records_end(const struct view *v, u32 home, struct call **link, u32 to);
struct call **records_group(const struct view *v, u32 i, struct call **p);     /* predicated ones from *p on; the link behind them */
struct call *records_convert(struct call *c);               /* one that stays where it is */
void records_forget_room(void);                             /* a call comes between that may write records */

/* ---- repeat.c, loop.c ---- */
bool repeat_asks_only_before(const struct insn_request *r); /* nothing but calls in front of the instruction */
void repeat_count(const struct view *v);                    /* of the first instruction, before its calls are gathered */
void repeat_count_down(const struct view *v);               /* ... afterwards */
void loop_find(const struct view *v);

/* ---- settle.c ---- */
void settle_begin(void);
bool settle_has_room(u32 more);
/* Instruction `from` counts this, but it is added at `to`; is_each: in each iteration. */
void settle_note(const struct count *c, s64 amount, u32 from, u32 to, bool is_each);
#endif
