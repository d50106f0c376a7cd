/* strings.h: string instructions with a GS operand. */
#ifndef X86_STRINGS_H
#define X86_STRINGS_H
#include "arch/arch.h"
enum emulate_result x86_gs_string(struct thread *t, const struct insn *in, struct emulate_out *out);
#endif
