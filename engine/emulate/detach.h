/* detach.h: give the process back: all threads go on natively, for good. */
#ifndef EMULATE_DETACH_H
#define EMULATE_DETACH_H
#include "engine/thread.h"

void detach_request(void);                      /* from any thread at any time; happens soon */
/* The dispatcher, before it lets t go on: true while a request is open or t has yet to leave. */
bool detach_is_due(void);
void detach_perform(struct thread *t);          /* does not return once the process is given back */
#endif
