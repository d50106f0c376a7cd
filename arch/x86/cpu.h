/* cpu.h: what this CPU is and can. Each question is asked when its answer is needed for the first time, for under a hypervisor
 * cpuid takes tens of thousands of cycles: a short program would run several per cent longer. */
#ifndef X86_CPU_H
#define X86_CPU_H
#include "base/types.h"

/* What cpuid says. What cannot change is asked for once. */
struct x86_answer { u32 a, b, c, d; };
struct x86_answer x86_cpuid(u32 leaf, u32 sub);
extern bool x86_cpuid_may_fault;            /* the program has asked the kernel for that */

bool x86_is_amd(void);
bool x86_fast_pext(void);                   /* has BMI2, and pext not in microcode */
bool x86_has_crc32(void);
bool x86_has_adx(void);                     /* and BMI2 */
bool x86_has_slow_jumps(void);              /* does a branch that is taken take two cycles, one that is not, none? */
bool x86_tells_unused(void);                /* xgetbv with 1: which components are in use */
/* Where a component of the state lies in an xsave area of the standard format; size 0: there is none. */
struct x86_component { u32 offset, size; };
enum { X86_COMPONENTS = 20 };
const struct x86_component *x86_component(u32 number);
u32 x86_xsave_bytes(u64 *features);         /* of an area with all features that are enabled, and which these are; 0: no xsave */
#endif
