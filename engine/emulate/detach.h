/* detach.h: give the process back: all threads go on natively, for good. docs/attach.md tells the whole story.
 *
 * A thread of its own, the ferry, stops all threads and tells the tool. Then each thread of the application comes to rest
 * where it can leave from: parked in the dispatcher, or in the kernel in a call of the application's. The launcher, by
 * ptrace, gives all of them their native registers at once and unmaps everything. */
#ifndef EMULATE_DETACH_H
#define EMULATE_DETACH_H
#include "engine/thread.h"

void detach_init(struct thread *ferry);         /* NULL: make one */
void detach_request(void);                      /* of the tool, from any thread at any time; happens soon */
/* The dispatcher, before it lets t go on: true when t is to leave. */
bool detach_is_due(void);
void detach_park(struct thread *t) NORETURN;
void detach_ferry(struct thread *ferry) NORETURN;   /* the ferry's first C code */
#endif
