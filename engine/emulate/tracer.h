/* tracer.h: another process traces this one by ptrace: a debugger, strace, or a program that tries ptrace out on its child.
 * What such a process is to see must come from the kernel, and go the native way. */
#ifndef EMULATE_TRACER_H
#define EMULATE_TRACER_H
#include "base/types.h"

void tracer_init(bool is_launched);
bool tracer_is_there(void);
bool tracer_has_come(void);                    /* since the start of this process image, or of its parent */
#endif
