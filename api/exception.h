/* exception.h: between signals and EXCEPTION_INFO. */
#ifndef API_EXCEPTION_H
#define API_EXCEPTION_H
#include "api/api.h"
#include "engine/emulate/signal.h"

void exception_from_signal(EXCEPTION_INFO *out, int sig, const struct k_siginfo *info, const struct arch_fault *f, addr_t pc);
#endif
