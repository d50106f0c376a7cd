/* x87.h: the pointers of the last x87 instruction. */
#ifndef X86_X87_H
#define X86_X87_H
#include "base/types.h"

enum { FXSAVE_FOP = 6, FXSAVE_FIP = 8 };        /* 64-bit form */
void x86_mend_x87(u8 *fxsave);                  /* in an image of that form */
/* For the other forms: the application's instruction, from half of a cache address; its opcode, from the noted one. */
bool x86_find_by_half(u32 half, addr_t *pc);
u16 x86_app_fop(addr_t pc, u16 fop);
#endif
