/* report.h: what the engine prints when it fails itself. */
#ifndef ENGINE_REPORT_H
#define ENGINE_REPORT_H
#include "engine/thread.h"
void report_init(void);
void report_crash(struct thread *t, int sig, const struct k_siginfo *info, const struct k_ucontext *uc) NORETURN;
#endif
