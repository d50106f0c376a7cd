/* attach.h: take over a process that is already running. docs/attach.md tells the whole story.
 *
 * An extra thread, the helper, runs the tool's main() and this module while the application goes on natively. Then the
 * launcher stops all threads of the application; the helper makes a struct thread for each; the launcher gives each its new
 * registers; the helper installs the signal handlers, and ends. */
#ifndef EMULATE_ATTACH_H
#define EMULATE_ATTACH_H
#include "engine/thread.h"
#include "loader/handoff.h"

void attach_process(struct thread *helper, struct handoff *h) NORETURN;
/* First C code of a thread that has been taken over, on its engine stack: it computed, all signals blocked; or it was in
 * a system call, which has ended now. */
void attach_computing(struct thread *t);
/* Before that, for one that has come through the gate: what the kernel has on record of it becomes the engine's. */
void attach_arrive(struct thread *t, struct handoff_thread *r);
/* What the kernel had on record is known now: t learns it, before anybody asks. */
void attach_settle(struct thread *t);
void attach_from_call(struct thread *t, long result);
#endif
