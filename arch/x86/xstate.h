/* xstate.h: vector and x87 state, which lives in the registers while the engine runs. */
#ifndef X86_XSTATE_H
#define X86_XSTATE_H
#include "base/types.h"

/* Tile data is 8 KB, and a process that wants it asks the kernel. Before that it is in nobody's signal frame: those of a program on a
 * machine that has tiles are as small as elsewhere. */
enum { TILE_DATA = 18 };                    /* its number */
#define XF_TILE_DATA (1ull << TILE_DATA)
extern u64 x86_xfeatures;                   /* XCR0, without what the process would have to ask for first */
extern u32 x86_xsize;                       /* bytes of a standard-format xsave area with all of XCR0 */
u32 x86_xsize_of(u64 features);             /* ... with these */
void x86_ask_for_tiles(void);               /* are they permitted now? */

static inline void xsave_to(void *area, u64 mask)     /* 64-byte aligned; the header must be zero */
{
    __asm__ volatile("xsave64 (%0)" : : "r"(area), "a"((u32)mask), "d"((u32)(mask >> 32)) : "memory");
}
static inline void xrstor_from(const void *area, u64 mask)
{
    __asm__ volatile("xrstor64 (%0)" : : "r"(area), "a"((u32)mask), "d"((u32)(mask >> 32)) : "memory");
}
enum { XSAVE_HEADER = 512, XSAVE_HEADER_SIZE = 64, XSAVE_MXCSR = 24 };
#endif
