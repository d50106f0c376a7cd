/* countdown.h: an If that counts down: `return --left == 0`.
 *
 * Like a sum (promote.h), but it must know at once when the word comes to zero. So the word hands out *budgets*: each place
 * has a slot that says how many more times it may pass before anybody has to look. Together the slots hold less than what is
 * left, so as long as a place's slot lasts, its If returns 0. When one is used up, the exact routine takes all budgets back,
 * looks at the word, and hands out new ones.
 *
 *  (1) Tool code finds the word as it would be: folding takes all budgets back first. It may set the word as it likes.
 *  (2) Nothing else in the code cache adds to the word or looks at it: otherwise this ends.
 *  (3) A repeated instruction asks for all its iterations at once, and gives back what it cannot have: that is not done any more as
 *      soon as there are two threads, since a slot whose giving back is lost would last for ever. */
#ifndef JIT_COUNTDOWN_H
#define JIT_COUNTDOWN_H
#include "engine/jit/promote.h"

/* A place that passes the word c->at: its slot, and the number to call countdown_exact with. is_bulk: at a
 * repeated instruction. NULL: no. Cache lock held. */
u64 *countdown_place(const struct count *c, bool is_bulk, u32 *number);
u64 countdown_exact(u64 number) ARCH_KEEPS_REGISTERS;       /* from emitted code whose slot went below zero: is the word zero now? */
bool countdown_is_on(void);
void countdown_fold(void);                      /* promote_lock held */
void countdown_end(void);                       /* hand out no more */
bool countdown_pays(void);                      /* or is a budget used up, or taken back, too often? */
#endif
