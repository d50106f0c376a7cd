/* report.h: what is printed when the engine or the tool fails. It goes to the tool's own copy of stderr once there is one: the
 * application may have closed its own. */
#ifndef ENGINE_REPORT_H
#define ENGINE_REPORT_H
#include "engine/thread.h"
#include "loader/rt.h"
void report_init(void);
void report_crash(struct thread *t, int sig, const struct k_siginfo *info, const struct k_ucontext *uc) NORETURN;
void report_callers(const void *sp);            /* the tool's functions that led here, and how to get their lines */
void early_end(void);                           /* early.c: the tool's main() has done its part */
#endif
