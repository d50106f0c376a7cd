/* engine.h: the engine's front door. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H
#include "loader/handoff.h"

/* Take over the process: the application starts at the registers of the hand-off and runs from the code cache.
 * Called once, on the main thread, when the tool has finished its own set-up. */
void engine_start(struct handoff *h) __attribute__((noreturn));

/* The options given on the command line; valid from engine_start on. */
extern struct handoff_options *opt;
extern struct handoff *engine_handoff;
#endif
