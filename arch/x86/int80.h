/* int80.h: see int80.c. */
#ifndef X86_INT80_H
#define X86_INT80_H
#include "arch/arch.h"
#include "arch_syscalls.h"

/* int 0x80 asks for the call in the registers: out->sys. Changes nothing yet. */
enum emulate_result x86_int80(struct thread *t, const struct insn *in, struct emulate_out *out);
long x86_older_call(const struct syscall_args *a);     /* arch_syscall for one that has `older` */
#endif
