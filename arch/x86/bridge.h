/* bridge.h: how emitted code calls a routine of the tool.
 *
 * The calls of one point share a visit: the stack pointer is exchanged for the engine's, the registers that the
 * routines may change are stored in a frame there, arguments are loaded, the routines are called, everything is put back.
 *
 *  (1) Nothing is written to the application's stack.
 *  (2) A register of the application is in its frame slot if it is in the visit's `save` set, else in itself.
 *  (3) Its stack pointer is in fs:[AT_GPR(RSP)]. Whatever it does next waits for that to come back from memory; so where r11 is
 *      the engine's and nothing in the visit changes it, it is kept there as well.
 *  (4) A signal that comes during a call waits: the code behind each call looks at `pending` and, if there is one,
 *      turns on single steps, which lead to the next start of an application instruction (emulate/handler.c).
 *  (5) The frame has one size, so it always lies at fs:[bridge_sp].
 *
 * Routines that are small enough stand in the trace themselves (inline.h), in a light visit: the stack stays, and the few
 * registers that are needed go to spill slots. */
#ifndef X86_BRIDGE_H
#define X86_BRIDGE_H
#include "arch/x86/asm.h"
#include "engine/jit/instrument.h"

enum { ABI_REGS = 6, STACK_ARGS = MAX_CALL_ARGS - ABI_REGS };
extern const u8 x86_abi_reg[ABI_REGS];

#define AT_BUFFER(n) ((s32)(offsetof(struct arch_thread, buffer) + (n) * 16))     /* the thread's place in it; its end */
#define AT_FS_COPY ((s32)offsetof(struct arch_thread, fs_copy))
#define BIT(r) ((u16)(1u << (r)))
#define CALLER_SAVED ((u16)(BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RSI) | BIT(RDI) | BIT(R8) | BIT(R9) | BIT(R10) | BIT(R11)))
#define ALL_BUT_RSP ((u16)(0xffff & ~BIT(RSP)))

struct x86_frame {
    u64 stack_arg[STACK_ARGS];
    u64 gpr[16];                /* gpr[RSP] in visits with slow calls only */
    u64 flags;                  /* ah and al as lahf, seto leave them; or all of rflags (visit.is_full) */
    u64 cond;                   /* low byte: the instruction's condition holds */
    u32 mxcsr, has_x87;         /* from here on: bridge.S */
    bool is_wide;               /* some vector register holds more than 16 bytes */
    u8 x87[576] __attribute__((aligned(64)));    /* an xsave image of that alone */
    u8 vectors[32 * 64] __attribute__((aligned(64)));   /* xmm, ymm or zmm registers, one behind the other */
    u64 masks[8];
    u8 x87_env[64];             /* see x87_pointers.h */
};
#define F_ARG(k)  ((u32)(offsetof(struct x86_frame, stack_arg) + 8 * (k)))
#define F_GPR(r)  ((u32)(offsetof(struct x86_frame, gpr) + 8 * (r)))
#define F_FLAGS   ((u32)offsetof(struct x86_frame, flags))
#define F_COND    ((u32)offsetof(struct x86_frame, cond))

/* ---- routine.c: what a routine and everything it reaches may change ---- */
struct routine {
    const u8 *fn;
    struct routine *next;
    u16 clobbers;               /* caller-saved general registers */
    bool uses_vectors;          /* vector or x87 state, or nobody knows */
    bool sees_memory;           /* other than its own frame */
    bool is_known;              /* all of it was seen */
    struct body *body;          /* body.c: made when first asked for, or why there is none */
    const char *why_no_body;
};
const struct routine *x86_routine(const void *fn);
bool x86_touches_vectors(const struct x86_insn *x);

/* ---- marshal.c ---- */
struct visit {
    struct emit *e;
    const struct site *site;
    u16 save;
    bool is_full;               /* a call is worked out in C: all registers and all flags are in the frame */
    bool is_light;              /* inlined code only: no change of stacks; saved registers are in spill slots */
    u8 slot[16];
    bool keeps_flags;           /* the arithmetic flags are alive */
    bool wants_cond;
    bool folds;                 /* promoted words, first (engine/jit/promote.h) */
    bool fetches_r11;           /* it is the engine's (r11.h), and the routines see the application's */
    bool rsp_in_r11;            /* the application's stack pointer is there, too, and survives */
};
bool x86_is_cmov(const struct x86_insn *x);
bool x86_arg_is_fast(const struct site *s, const struct arg *a);
u16 x86_arg_scratch(const struct arg *a);                    /* registers that loading it overwrites, besides its own */
void x86_load_arg(struct visit *s, const struct arg *a, u32 to);
void x86_store_result(struct visit *s, struct reg_id to);  /* rax */

/* ---- light.c: inlined routines ---- */
bool x86_inlines(struct emit *e, const struct site *site, const struct call *c);     /* can call c of the site be? */
void x86_emit_inline(struct emit *e, const struct site *site, const struct call *c); /* an If together with its Then */
void x86_emit_visit(struct emit *e, const struct site *site, const struct call *from, const struct call *to);

/* ---- count.c: sums; effect.c finds the calls that are nothing else ---- */
void x86_emit_counts(struct emit *e, const struct site *site, const struct call *from, const struct call *to);
void x86_emit_guarded(struct emit *e, const struct site *site, const struct call *c);    /* an If with a budget, and its Then */

/* ---- record.c: a record into a buffer, in the trace itself ---- */
void x86_emit_record(struct emit *e, const struct site *site, const struct call *c);
void x86_emit_room(struct emit *e, const struct site *site, const struct call *c);
/* The room of predicated records, and all that belongs to it: returns the last of them. */
const struct call *x86_emit_predicated(struct emit *e, const struct site *site, const struct call *room);
void x86_forget_held(struct emit *e);                        /* r11 is used for something else */
bool x86_move_held(struct emit *e, const struct site *s, const struct call *c);

/* ---- liveness.c ---- */
u16 x86_dead_regs(const struct insn *list, u32 i, u32 n);    /* overwritten before they are read, from instruction i on */
bool x86_flags_dead_at(const struct site *s);
u16 x86_dead_regs_at(const struct site *s);
/* A register to use: r11 if it is free, a dead one, or the one wanted last. */
u32 x86_pick(const struct emit *e, const struct site *s, u16 avoid, bool *is_dead);

/* ---- slow.c: arguments that C works out ---- */
struct slow_call {
    struct insn insn;
    u8 bytes[16];
    u8 point;
    bool uses_vectors;
    struct call call;           /* last: its arguments follow */
};
struct slow_call *x86_slow_call(const struct site *s, const struct call *c);
u64 x86_slow(struct x86_frame *f, struct slow_call *c);
bool x86_is_slow(const struct site *s, const struct call *c);
void x86_emit_slow(struct emit *e, const struct site *site, const struct call *c, void *with);   /* a visit that calls `with` */
/* Call C code of the engine's with the frame and a constant; is_raw: registers are as the CPU has them, r11 too. */
void x86_emit_look(struct emit *e, const struct site *site, bool is_raw, u64 value, void *with);
u64 x86_buffer_full(struct x86_frame *f, struct slow_call *c);

/* odd.c: the program sets the direction or alignment-check flag somewhere */
extern bool x86_odd_flags, x86_checks_alignment, x86_watches_flags;

/* bridge.S */
void x86_vectors_save(struct x86_frame *f);                  /* out of the tool's way */
void x86_vectors_load(struct x86_frame *f);
void x86_vectors_image(const struct x86_frame *f, u8 *xsave);     /* what x86_vectors_save saved, as an xsave image */
extern u8 x86_app_x87;                                       /* the program has code for x87 or MMX registers: see bridge.S */
bool x86_is_x87_or_mmx(const struct x86_insn *x);
extern const u8 x86_initial[];                               /* an xsave image of nothing */
void x86_with_frame(struct x86_frame *f, const void *routine);
extern u8 x86_save_sse[], x86_save_avx[], x86_save_avx512[], x86_load_sse[], x86_load_avx[], x86_load_avx512[];
u64 x86_call_args(const void *fn, const u64 *args, u64 n);
#endif
