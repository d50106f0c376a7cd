/* handler.h: the engine's only signal handler. */
#ifndef EMULATE_HANDLER_H
#define EMULATE_HANDLER_H
#include "engine/thread.h"
void handler_entry(int sig, struct k_siginfo *info, struct k_ucontext *uc);
#endif
