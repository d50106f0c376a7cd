/* emulate.h: what the files of emulated instructions share. Registers are in t->arch.regs, the pc is at the instruction. */
#ifndef X86_EMULATE_H
#define X86_EMULATE_H
#include "arch/arch.h"

NORETURN void x86_refuse(const struct insn *in, const char *what);       /* "WHAT is not supported: ..." */
addr_t x86_operand_address(const struct thread *t, const struct insn *in);

/* Size of a far pointer's offset. AMD knows none of 64 bits in memory, only on the stack. */
u32 x86_far_size(const struct insn *in, bool is_on_stack);
/* False: t->copy_fault says what the instruction does (EMULATE_FAULT). */
bool x86_read_stack(struct thread *t, addr_t at, void *to, u32 size);
bool x86_write_stack(struct thread *t, addr_t at, const void *from, u32 size);
bool x86_read_operand(struct thread *t, const struct insn *in, u32 from, void *to, u32 size);
/* A fault that names a selector. */
enum emulate_result x86_selector_fault(struct emulate_out *out, u32 trap, u16 selector);
enum { TRAP_NOT_PRESENT = 11, TRAP_STACK = 12, TRAP_PROTECTION = 13 };

/* Access rights of a descriptor, as lar gives them; 0: none that user code may know of. */
u32 x86_access_rights(u16 selector);
enum { RIGHTS_CODE = 0x1800, RIGHTS_PRESENT = 0x8000, RIGHTS_DPL = 0x6000, RIGHTS_LONG = 1 << 21 };
/* Can SS be loaded with it? If not, `out` tells the fault. */
bool x86_may_be_stack(u16 selector, struct emulate_out *out);

enum emulate_result x86_load_selector(struct thread *t, const struct insn *in, struct emulate_out *out);    /* FS, GS */
enum emulate_result x86_store_selector(struct thread *t, const struct insn *in);
enum emulate_result x86_far_transfer(struct thread *t, const struct insn *in, struct emulate_out *out);
#endif
