/* x87.h: what the CPU remembers of the last x87 instruction. */
#ifndef X86_X87_H
#define X86_X87_H
#include "base/types.h"

enum { FXSAVE_FOP = 6, FXSAVE_FIP = 8, FXSAVE_FDP = 16 };        /* 64-bit form */
/* Where it stands in a form; size: of a pointer; fop 0: the form has none. */
struct x87_layout { u8 fip, fdp, size, fop; };
/* Make what stands in an image the application's. cache_pc: the pointer, or its lower half. */
void x86_mend_x87(u8 *image, struct x87_layout l, u32 cache_pc);
bool x86_find_by_half(u32 half, addr_t *pc);        /* the application's instruction, from half of a cache address */
#endif
