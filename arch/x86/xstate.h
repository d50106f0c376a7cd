/* xstate.h: vector and x87 state, which lives in the registers while the engine runs. */
#ifndef X86_XSTATE_H
#define X86_XSTATE_H
#include "base/types.h"

extern u64 x86_xfeatures;                   /* XCR0 */
extern u32 x86_xsize;                       /* bytes of a standard-format xsave area with all of them */

static inline void xsave_to(void *area)     /* 64-byte aligned; the header must be zero */
{
    __asm__ volatile("xsave64 (%0)" : : "r"(area), "a"((u32)x86_xfeatures), "d"((u32)(x86_xfeatures >> 32)) : "memory");
}
static inline void xrstor_from(const void *area, u64 mask)
{
    __asm__ volatile("xrstor64 (%0)" : : "r"(area), "a"((u32)mask), "d"((u32)(mask >> 32)) : "memory");
}
enum { XSAVE_HEADER = 512, XSAVE_HEADER_SIZE = 64, XSAVE_MXCSR = 24 };
#endif
