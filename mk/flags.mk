# flags.mk: how each part of the source is compiled, and why.
WARN  := -Wall -Wextra -Wno-unused-parameter -Werror=implicit-function-declaration -Werror=incompatible-pointer-types
COMMON := -O2 -g -std=gnu11 $(WARN) -fno-stack-protector -MMD -MP -I. $(EXTRA_CFLAGS)

# Without vector registers the compiler clears and copies structures by `rep stos` and `rep movs`, which take longer to begin
# than a few dozen words take.
SMALL_COPIES := -mmemset-strategy=unrolled_loop:-1:noalign -mmemcpy-strategy=unrolled_loop:-1:noalign

# The engine runs with the application's vector registers live, on any thread, without a libc. A stack protector would
# read the canary through FS before TLS exists. It is optimised as a whole (libcotter.mk) and looks at code and at the memory of its own
# heap as whatever they are at the time: a compiler that reasons by types would gain nothing, which was measured, and might be misled.
FREESTANDING := $(COMMON) -O3 -fno-strict-aliasing -fPIE -ffreestanding -mgeneral-regs-only $(SMALL_COPIES) -fno-asynchronous-unwind-tables \
    -fvisibility=hidden -ftls-model=local-exec -Ibase/$(ARCH) -Iarch/$(ARCH) -Iinclude
FREESTANDING_C := -include base/str.h

# The tool API is ordinary C with a libc. So is the runtime of the tool's libc, but the engine calls parts of it when
# vector registers belong to the application.
HOSTED := $(COMMON) -D_GNU_SOURCE -U_FORTIFY_SOURCE -fPIE -fvisibility=hidden -ftls-model=local-exec \
    -Ibase/$(ARCH) -iquote arch/$(ARCH) -Iinclude
RUNTIME := $(HOSTED) -mgeneral-regs-only

LAUNCHER := $(COMMON) -D_GNU_SOURCE -U_FORTIFY_SOURCE -fno-pie -fno-asynchronous-unwind-tables \
    -Ibase/$(ARCH) -DCOTTER_VERSION='"$(VERSION)"'

# A tool is a static-PIE: its own libc travels with it. An analysis routine that touches a vector register makes the engine save
# them all around each call; two additions done as one are not worth that, nor is a loop that becomes a call of memmove.
TOOL_CODE := -fPIE -fno-stack-protector -ftls-model=local-exec
TOOL      := -O2 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -g -Wall $(TOOL_CODE) -MMD -MP -Iinclude $(EXTRA_CFLAGS)
TOOL_LINK := -static-pie -Wl,-z,noseparate-code    # fewer segments: fewer mappings at each start
