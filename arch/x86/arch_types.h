/* arch_types.h: x86's share of the structures named in arch.h. */
#ifndef X86_ARCH_TYPES_H
#define X86_ARCH_TYPES_H
#include "arch/x86/arch_reg.h"
#include "arch/x86/decode.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

/* A function of the engine that keeps all registers but that of its result: emitted code calls it with less ado. */
#define ARCH_KEEPS_REGISTERS __attribute__((no_caller_saved_registers))

struct arch_insn { struct x86_insn x; };
struct arch_held { u8 buffer, lent; s32 off, fetched; u32 at; u64 constant; const struct insn *list; u32 n; };     /* see record.c, park.h */

struct arch_regs {
    u64 gpr[16];                /* by encoding number */
    u64 flags;
    u64 pc;
};

/* The application's state as a tool sees it: CONTEXT of the tool interface. `xstate` is NULL as long as the vector
 * registers themselves still hold their part; see arch_context_xstate. */
enum { ARCH_XSTATE_MAX = 2816 };
struct arch_context {
    struct arch_regs regs;
    u64 fs_base, gs_base;
    u64 tool_reg[ARCH_TOOL_REGS];
    u8 *xstate;                 /* in the CPU's standard xsave format */
    const struct x86_frame *frame;   /* where an analysis call put the vector registers; NULL: they hold them */
    u32 is_const;
    u16 fs_selector, gs_selector;
    u8 own[ARCH_XSTATE_MAX] __attribute__((aligned(64)));
};

u64 x86_app_fs(void);           /* the application's FS base, of this thread */

#define ARCH_NESTED_RETURN 0x5554fffffff0ul     /* no code is ever there: the end of the private range */

enum { X86_SLOTS = 14, X86_FOUND = 4, ARCH_EXIT_INDIRECT = 1, ARCH_EXIT_GUARDED = 2, ARCH_EXIT_RETURN = 3 };

/* The instruction that is stepped for the application (step.c). */
struct x86_step { addr_t pc; u64 count, flags; u8 kind, ends_at; };

/* Words at fs:-const. Offsets are checked in entry_offsets.h. */
struct arch_thread {
    struct arch_regs regs;
    u64 slot[X86_SLOTS];        /* spill slots: 0 and 1 within one instruction or branch, 2 in the glue of entry.S */
    u64 goal;                   /* where an indirect jump through memory goes */
    u64 engine_sp;              /* the engine's stack, empty */
    u64 indirect_target;        /* application address that an indirect branch looked for in vain */
    u32 exit_id;                /* which exit left the cache */
    u32 pending;                /* a signal waits: do not enter the cache, do not start a system call */
    u64 app_gs;                 /* the application's GS base; its FS base is in the GS register */
    u32 branch;                 /* the indirect branch under way: lower half of the cache address of its code */
    u32 junction;               /* the one that did not have its target (junction.h): a reference */
    u8 *xsave;                  /* 64-byte aligned area for vector state, made when first needed */
    u64 native_fs;              /* probe mode: the application's FS base, when this thread's data was put in place */
    u64 branches[3];            /* indirect ones made so far, by kind; counted with --stats */
    u64 r11;                    /* the home of the application's r11 in the cache (r11.h) */
    u8 spares_x87;              /* what it calls leaves x87 alone (arch_call_briefly) */
    struct x86_step step;
    /* ---- analysis calls (bridge.h) ---- */
    u8 *hosted;                 /* the vector state that hosted code, which is running, has been called with */
    u64 bridge_sp;              /* where a call's frame lies on the engine's stack */
    u64 tool_reg[ARCH_TOOL_REGS];
    u64 rep_pc;                 /* the repeated instruction whose iterations are under way; 0: none */
    u64 rep_flags;              /* those it began with, if it compares (repeated.c) */
    u64 rep_rest;               /* how many of them rcx does not count now: count.c */
    struct { u8 *at, *end; } buffer[ARCH_BUFFERS];   /* of records: where the next goes; from where on it is full */
    u64 app_fs;                 /* the application's FS base, while it is in a system call */
    u16 fs_selector, gs_selector;   /* the application's; the registers' own are null (selectors.c) */
    u64 found[X86_FOUND];       /* targets found, by enum found_by; counted with --stats */
    bool has_tiles;             /* it has used tile data (sigframe.c) */
    bool is_older_call;         /* the system call that is being made came by int 0x80 */
    struct { u64 from, pc; } x87;   /* code that is gone, and what it was made from (x87.c) */
    u64 fs_copy;                /* the application's FS base, for emitted calls: reading the GS register takes 20 cycles */
};
#endif
