/* gate_offsets.h: what gate.S knows of struct handoff_thread and struct handoff, checked where it is compiled as C. */
#ifndef X86_GATE_OFFSETS_H
#define X86_GATE_OFFSETS_H
#define HT_REGS       8
#define HT_ENTER      224
#define HT_MASK       440
#define HT_ENTER_MASK 448
#define HT_PLACE      4
#define HT_ALTSTACK   456
#define HT_RSEQ_AT    504
#define HT_RSEQ_SIZE  512
#define HT_RSEQ_SIG   516
#define HT_IN_CALL    520
#define HT_HOME_RAX   528
#define HT_LEAVE      536
#define R_R15         0
#define R_R14         8
#define R_R13         16
#define R_R12         24
#define R_RBP         32
#define R_R11         48
#define R_R10         56
#define R_R9          64
#define R_R8          72
#define R_RAX         80
#define R_RCX         88
#define R_RDX         96
#define R_RSI         104
#define R_RDI         112
#define R_ORIG_RAX    120
#define R_EFLAGS      144
#define R_RSP         152
#define R_FS_BASE     168
#define R_GS_BASE     176
#define HO_ATTACH_STATE  320
#define HO_DETACH_STATE  324
#define STATE_RELEASED   5
#define STATE_PARKED     2
#define STATE_INSTALLED  5
#define STATE_ABANDONED  7
#ifndef __ASSEMBLER__
#include "loader/handoff.h"
#include <stddef.h>
_Static_assert(offsetof(struct handoff_thread, regs) == HT_REGS, "");
_Static_assert(offsetof(struct handoff_thread, enter) == HT_ENTER, "");
_Static_assert(offsetof(struct handoff_thread, mask) == HT_MASK, "");
_Static_assert(offsetof(struct handoff_thread, enter_mask) == HT_ENTER_MASK, "");
_Static_assert(offsetof(struct handoff_thread, place) == HT_PLACE && PLACE_PARKED == STATE_PARKED, "");
_Static_assert(offsetof(struct handoff_thread, altstack) == HT_ALTSTACK, "");
_Static_assert(offsetof(struct handoff_thread, rseq_at) == HT_RSEQ_AT, "");
_Static_assert(offsetof(struct handoff_thread, rseq_size) == HT_RSEQ_SIZE, "");
_Static_assert(offsetof(struct handoff_thread, rseq_signature) == HT_RSEQ_SIG, "");
_Static_assert(offsetof(struct handoff_thread, in_call) == HT_IN_CALL, "");
_Static_assert(offsetof(struct handoff_thread, home_rax) == HT_HOME_RAX, "");
_Static_assert(offsetof(struct handoff_thread, leave) == HT_LEAVE, "");
_Static_assert(offsetof(struct handoff_regs, r11) == R_R11 && offsetof(struct handoff_regs, r10) == R_R10, "");
_Static_assert(offsetof(struct handoff_regs, r9) == R_R9 && offsetof(struct handoff_regs, r8) == R_R8, "");
_Static_assert(offsetof(struct handoff_regs, rax) == R_RAX && offsetof(struct handoff_regs, rcx) == R_RCX, "");
_Static_assert(offsetof(struct handoff_regs, rdx) == R_RDX && offsetof(struct handoff_regs, rsi) == R_RSI, "");
_Static_assert(offsetof(struct handoff_regs, rdi) == R_RDI && offsetof(struct handoff_regs, orig_rax) == R_ORIG_RAX, "");
_Static_assert(offsetof(struct handoff_regs, fs_base) == R_FS_BASE && offsetof(struct handoff_regs, gs_base) == R_GS_BASE, "");
_Static_assert(offsetof(struct handoff, attach_state) == HO_ATTACH_STATE, "");
_Static_assert(offsetof(struct handoff, detach_state) == HO_DETACH_STATE && DETACH_RELEASED == STATE_RELEASED, "");
_Static_assert(offsetof(struct handoff_regs, r15) == R_R15 && offsetof(struct handoff_regs, r14) == R_R14, "");
_Static_assert(offsetof(struct handoff_regs, r13) == R_R13 && offsetof(struct handoff_regs, r12) == R_R12, "");
_Static_assert(offsetof(struct handoff_regs, rbp) == R_RBP && offsetof(struct handoff_regs, rsp) == R_RSP, "");
_Static_assert(offsetof(struct handoff_regs, eflags) == R_EFLAGS, "");
_Static_assert(offsetof(struct handoff_thread, home_pc) == offsetof(struct handoff_thread, leave_code) + 24, "");
_Static_assert(ATTACH_INSTALLED == STATE_INSTALLED && ATTACH_ABANDONED == STATE_ABANDONED, "");
#endif
#endif
