/* entry_offsets.h: what entry.S and emitted code know of struct arch_thread, checked where it is compiled as C. */
#ifndef X86_ENTRY_OFFSETS_H
#define X86_ENTRY_OFFSETS_H
#define AT_GPR(n)     ((n) * 8)
#define AT_FLAGS      128
#define AT_PC         136
#define AT_SLOT(n)    (144 + (n) * 8)
#define AT_GOAL       256
#define AT_ENGINE_SP  264
#define AT_INDIRECT   272
#define AT_EXIT_ID    280
#define AT_PENDING    284
#define AT_APP_GS     288
#define AT_BRANCH     296
#define AT_JUNCTION   300
#define AT_XSAVE      304
#define AT_NATIVE_FS  312
#define AT_BRANCHES   320
#define AT_R11        344
#define AT_SPARES_X87 352
#define EXIT_ID_INDIRECT 1      /* exit ids below 16 are not exits of a trace */
#define EXIT_ID_GUARDED  2
#define EXIT_ID_RETURN   3
#define EXIT_ID_NONE     0
#ifndef __ASSEMBLER__
#include "arch/x86/arch_types.h"
_Static_assert(offsetof(struct arch_thread, regs.flags) == AT_FLAGS, "");
_Static_assert(offsetof(struct arch_thread, regs.pc) == AT_PC, "");
_Static_assert(offsetof(struct arch_thread, slot) == AT_SLOT(0), "");
_Static_assert(offsetof(struct arch_thread, goal) == AT_GOAL, "");
_Static_assert(offsetof(struct arch_thread, engine_sp) == AT_ENGINE_SP, "");
_Static_assert(offsetof(struct arch_thread, indirect_target) == AT_INDIRECT, "");
_Static_assert(offsetof(struct arch_thread, exit_id) == AT_EXIT_ID, "");
_Static_assert(offsetof(struct arch_thread, pending) == AT_PENDING, "");
_Static_assert(offsetof(struct arch_thread, app_gs) == AT_APP_GS, "");
_Static_assert(offsetof(struct arch_thread, branch) == AT_BRANCH, "");
_Static_assert(offsetof(struct arch_thread, junction) == AT_JUNCTION, "");
_Static_assert((int)EXIT_ID_GUARDED == (int)ARCH_EXIT_GUARDED && (int)EXIT_ID_RETURN == (int)ARCH_EXIT_RETURN, "");
_Static_assert(offsetof(struct arch_thread, native_fs) == AT_NATIVE_FS, "");
_Static_assert(offsetof(struct arch_thread, branches) == AT_BRANCHES, "");
_Static_assert(offsetof(struct arch_thread, xsave) == AT_XSAVE, "");
_Static_assert(offsetof(struct arch_thread, r11) == AT_R11, "");
_Static_assert(offsetof(struct arch_thread, spares_x87) == AT_SPARES_X87, "");
#endif
#endif
