/* native_offsets.h: what native.S and native.c agree on. */
#ifndef X86_NATIVE_OFFSETS_H
#define X86_NATIVE_OFFSETS_H
#define NATIVE_FLAGS  128               /* struct arch_native_frame: gpr, flags, back */
#define NATIVE_BACK   136
#define NATIVE_SIZE   144
#define NATIVE_SKIP   128               /* the red zone below the application's stack pointer */
#define NATIVE_XSAVE  2816              /* ARCH_XSTATE_MAX */
#define NATIVE_RETURNS_FLOAT 40         /* struct native_probe */
#define NATIVE_USES_VECTORS 41
#define STUB_RECORD   29                /* from the return address into a stub to its record */
#define PRIVATE_TOP   0x55              /* bits 40 and up of an address in the private range */
#ifndef __ASSEMBLER__
#include "base/types.h"
struct arch_native_frame {
    u64 gpr[16];
    u64 flags;
    addr_t back;
};
#endif
#endif
