/* lessons.h: what a forked child had to translate, its parent translates before it forks again.
 *
 * A shell forks for each command, a server for each client, and such children go the same way. Each would translate it anew, link its
 * traces and fill the tables, and the kernel would copy every page that it writes for that: three times as long as what it was
 * forked for. So each entry of a child's dispatcher that made something leaves a note in memory that the family shares, and
 * whoever forks next makes the same.
 *
 *  (1) A note says where from, where to, and how; not what is there. Who learns reads and translates its own memory. So whatever
 *      the notes say, its traces are right: at worst nobody needs them.
 *  (2) A tool would be shown code that its process has not executed. So with one there are lessons only if its callbacks look at
 *      nothing but the code that they are shown, and leave nothing behind but requests: then it cannot tell.
 *  (3) Code that somebody could write is not learnt: watching its page would cost the program a fault.
 *  (4) There is room for some thousand notes. A family whose children all differ fills it, and that is the end of it. */
#ifndef JIT_LESSONS_H
#define JIT_LESSONS_H
#include "arch/arch.h"
#include "engine/cache/trace.h"

void lessons_forked(void);                    /* from now on this process notes */
/* The dispatcher led to a trace that was made just now, or through an exit that will be linked, or to a new place of the tables.
 * x: the exit; NULL: there is none. Cache lock held. */
void lessons_note(const struct trace *to, enum entry_kind why, const struct exit *x);
void lessons_learn(struct arch_thread *by);   /* before a fork. Takes the client lock and the cache lock. */
#endif
