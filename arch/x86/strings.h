/* strings.h: string instructions with a GS operand. */
#ifndef X86_STRINGS_H
#define X86_STRINGS_H
#include "arch/arch.h"
enum emulate_result x86_gs_string(struct thread *t, const struct insn *in, struct emulate_out *out);
/* Registers that a repeated one with 32-bit addresses cuts to 32 bits before anything else (repeated.c). */
u16 x86_cut_by_string(const struct x86_insn *x);
/* A comparison is interrupted that a tool is called at each iteration of: the flags as the application would see them. */
void x86_unfinished_flags(struct arch_thread *t);
#endif
