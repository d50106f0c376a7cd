/* arch_reg.h: how the engine names a register, a part of one, and an address that an instruction computes. */
#ifndef X86_ARCH_REG_H
#define X86_ARCH_REG_H
#include "base/types.h"

enum reg_file {
    RF_NONE,
    RF_GPR,                     /* num: by encoding number; offset 1: ah, ch, dh, bh */
    RF_FLAGS, RF_PC,
    RF_TOOL,                    /* a tool's own register, one per thread */
    RF_FS_BASE, RF_GS_BASE, RF_SEG,
    RF_XMM, RF_YMM, RF_ZMM, RF_K, RF_MXCSR,
    RF_ST, RF_MM, RF_X87,       /* X87: num is the byte offset of a control word in the fxsave image */
};

struct reg_id { u8 file, num, offset, size; };      /* size in bytes */

enum { ARCH_TOOL_REGS = 32, ARCH_BUFFERS = 10 };

/* What an instruction adds up to find its operand. */
enum address_form {
    ADDRESS_PLAIN,
    ADDRESS_TABLE,              /* base + the low byte of rax (xlat) */
    ADDRESS_BITS,               /* plain + the part of a bit number in `bits` that selects a unit of `unit` bytes (bt) */
};
struct arch_address {
    s64 disp;
    int8_t base, index;             /* GPR numbers; -1: none */
    u8 scale;                   /* 1, 2, 4, 8 */
    u8 seg;                     /* 0, or 4: the application's FS, 5: its GS */
    u8 form, unit;
    u8 bits;                    /* GPR with the bit number */
    bool is32;                  /* computed modulo 2^32 */
};
#endif
