/* arch_types.h: the toy CPU's share of the structures named in arch/arch.h. Four registers, a stack of return addresses
 * that no program can reach, no flags, no memory operands. */
#ifndef TOY_ARCH_TYPES_H
#define TOY_ARCH_TYPES_H
#include "base/types.h"

enum { TOY_REGS = 4, TOY_STACK = 16, ARCH_TOOL_REGS = 1, ARCH_BUFFERS = 1 };

#define ARCH_KEEPS_REGISTERS

struct reg_id { u8 file, num, offset, size; };
struct arch_address { s64 disp; };
struct arch_insn { u8 op, reg; s32 imm; };
struct arch_held { u8 unused; };

struct arch_regs {
    u32 r[TOY_REGS];
    addr_t stack[TOY_STACK];    /* a ring of return addresses */
    u32 depth;
    addr_t pc;
};

struct arch_context { struct arch_regs regs; };

enum { ARCH_EXIT_INDIRECT = 1, ARCH_EXIT_GUARDED = 2, ARCH_EXIT_RETURN = 3 };

#define ARCH_NESTED_RETURN 0xfffful

struct arch_thread {
    struct arch_regs regs;
    addr_t indirect_target;
    u64 engine_sp;
    u32 exit_id, pending;
    u64 branches[3], found[4];
};
#endif
