/* dispatch.h: what entry.S calls. Both return the code to run next. */
#ifndef DISPATCH_DISPATCH_H
#define DISPATCH_DISPATCH_H
#include "engine/thread.h"
u8 *disp_leave(struct thread *t);          /* an exit of the cache, described in t->arch */
u8 *disp_resume(struct thread *t);         /* start over from the stored registers */
u8 *disp_after_vfork(struct thread *t, long result);
struct arch_context;
void disp_execute_at(struct thread *t, struct arch_context *c) NORETURN;   /* abandon the analysis routine that is running */
#endif
