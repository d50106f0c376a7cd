/* arch.h: the whole contract between generic code and a CPU.
 *
 * Generic code takes decisions; an arch folder supplies facts and byte sequences. Exactly one folder is compiled
 * into a build (ARCH=), and tests/unit/toy implements the same header for four-register bugs.
 * arch_types.h of that folder defines:
 *   struct arch_insn    what its decoder knows of one instruction
 *   struct arch_held    what a register of the engine's holds within a trace
 *   struct arch_regs    the application's register file, as stored while the engine runs
 *   struct arch_thread  per-thread words that emitted code and assembly touch; holds an arch_regs named `regs` */
#ifndef ARCH_H
#define ARCH_H
#include "base/types.h"
#include "arch_types.h"

/* ---- describe ---- */
extern const struct arch_info {
    const char *name;
    u32 max_insn_len;           /* longest application instruction */
    u32 max_emit_len;           /* most bytes that one application instruction may become, exits included */
    u32 stub_len;               /* most bytes of an exit stub with its constants */
    u32 check_len;              /* most bytes that arch_emit_check emits */
    u32 fetch_align;            /* where the head of a loop had best be */
} arch_info;

/* ---- decode ---- */
enum insn_kind {
    INSN_PLAIN,                 /* control continues behind it */
    INSN_COND,                  /* direct conditional branch */
    INSN_JUMP,                  /* direct jump */
    INSN_CALL,                  /* direct call */
    INSN_JUMP_IND, INSN_CALL_IND, INSN_RET,
    INSN_SYSCALL,               /* the engine performs it (arch_emulate says how); control continues behind it */
    INSN_EMULATE,               /* arch_emulate performs it and sets the pc */
    INSN_REPLACED,              /* the entry of a routine that the tool has replaced */
    INSN_TRAP,                  /* raises a signal when it runs (invalid, privileged, breakpoint): ends a trace */
};
enum decode_status { DECODE_OK, DECODE_TRUNCATED };

struct insn {
    addr_t pc;
    addr_t target;              /* of a direct branch */
    u8 len, kind;               /* enum insn_kind */
    bool is_as_is;              /* plain, and its bytes do the same at any place: it is emitted as they are */
    u8 arch_note;               /* the arch's own */
    u8 count;                   /* 1; or it stands for so many, of which no more is known than that they are as is (arch_skim) */
    const u8 *bytes;            /* the engine's copy of the instruction */
    struct arch_insn a;
};
static inline addr_t insn_next(const struct insn *in) { return in->pc + in->len; }

/* Decode at `bytes`, of which `avail` may be read; pc is the application's address of them. An invalid instruction is
 * INSN_TRAP with the length the CPU would look at (at least 1). */
enum decode_status arch_decode(const u8 *bytes, u32 avail, addr_t pc, struct insn *out);
/* The same where DECODE_PADDING bytes can be read, whatever they are, behind those that count. */
enum { DECODE_PADDING = 64 };
enum decode_status arch_decode_padded(const u8 *bytes, u32 avail, addr_t pc, struct insn *out);
/* How many bytes of code at `bytes` are instructions that may be copied as they are, and of which nobody need know more; *n: how many
 * instructions, at most `most`. It is padded, too. *branch: what follows them; 0: arch_decode has to look. */
u32 arch_skim(const u8 *bytes, u32 avail, u32 most, u32 *n, u32 *branch);
bool arch_skim_branch(u32 branch, const u8 *bytes, u32 avail, addr_t pc, struct insn *out);      /* that; false: it is not all there */
static inline bool arch_ends_trace(const struct insn *in);   /* plain, but nothing may follow it in a trace */
size_t arch_format(const struct insn *in, char *text, size_t size);           /* one line of assembly */
size_t arch_format_cache(const u8 *code, char *text, size_t size);            /* the same for emitted code; its length */

/* ---- emit ---- */
enum { MAX_INSNS = 512 };       /* of a trace */
struct exit;
struct trace;
struct landing;
struct k_ucontext;
struct arch_fault;
/* The arch's own: code that stubs near by may leave through, of this trace or of one before it in the block. */
struct way_out { u8 *code; u32 base; };

struct emit {
    u8 *p, *end;                /* body: grows upwards */
    u8 *stub;                   /* stubs: grow downwards from here */
    u32 restore;                /* what a fault in the last emitted instruction has to put back (arch_unspill) */
    u32 at_rest;                /* what is parked between the instructions of this trace as well */
    u8 arch_flags;              /* those of the trace */
    struct way_out way_out;     /* of stubs */
    u32 parked;                 /* the arch's own: which registers are parked now, until it says otherwise */
    u32 binding;                /* likewise: which are from the beginning of the trace to its end */
    u32 next_end;               /* the next instruction in front of which arch_emit_between has something to do */
    struct arch_held held;      /* what a register of the engine's holds from one analysis call to the next */
    struct landing *landings;   /* places in this code that indirect branches and returns may come to */
    bool is_alone;              /* a trace of one instruction, from which control comes back to the dispatcher */
    bool is_full;               /* sticky: the result is void */
};

/* How control comes to a new trace for the first time; decides what its prefix is. */
enum entry_kind { ENTRY_JUMP, ENTRY_CALL, ENTRY_INDIRECT, ENTRY_RETURN, ENTRY_GUARDED };   /* GUARDED: the branch keeps its targets itself */
/* Code in front of the body, for those who do not come by a plain jump. */
void arch_emit_prefix(struct emit *e, const struct insn *list, u32 n, enum entry_kind why);
u32 arch_prefix_len(const struct emit *e, addr_t pc, enum entry_kind why);       /* its length */
/* Does a trace go on behind a call, at the place that the callee returns to? */
bool arch_follows_calls(void);
bool arch_counts_calls(void);                   /* ... which counts as one more block then, in programs that are large */
/* May it be part of a routine that stands in the trace of its caller: a plain instruction that writes no memory and leaves the
 * stack pointer alone? Or is it a return that does nothing but return? */
enum leaf_part { LEAF_NO, LEAF_BODY, LEAF_RETURN };
enum leaf_part arch_leaf_part(const struct insn *in);
enum { FRAME_BYTES = 16 };
bool arch_begins_frame(const u8 *code);               /* FRAME_BYTES of a routine: does it begin by making room on the stack? */
bool arch_transfer_slot(const struct insn *in, addr_t *slot);    /* an indirect jump or call through a word at a fixed address? */
void arch_unresolve(struct insn *in);           /* if its kind was changed from indirect to direct: change it back */
bool arch_is_return(const struct insn *in);     /* by itself, whatever kind the trace gave it */
/* Has the program turned out to need another scheme for its branches? True, once: translate all code anew. is_worth_it: the
 * code is there to stay. */
bool arch_adapts(bool is_worth_it);
/* Marks a map entry as a place between two application instructions: no signal is delivered there. */
enum { MAP_NOT_A_START = 0x4000 };
/* Marks the code of analysis calls, up to the next entry: a fault there is the tool's. */
enum { MAP_CALLS = 0x2000 };
/* The arch tells where in a sequence the state changes (a second record for the same instruction). */
void jit_note_map(struct emit *e, addr_t pc, u32 restore);

/* In front of instruction i, which is e->next_end: registers that were parked come back. */
void arch_emit_between(struct emit *e, const struct insn *list, u32 i, u32 n);
/* The body of plain instruction i of n. Sets e->restore. */
void arch_emit_plain(struct emit *e, const struct insn *list, u32 i, u32 n);
/* Leave through x when the condition of `in` holds; fall through otherwise. */
void arch_emit_cond(struct emit *e, const struct insn *in, struct exit *x);
void arch_emit_jump(struct emit *e, struct exit *x);
/* A transfer to what follows in the trace: what it does besides. A call pushes, a return pops. */
void arch_emit_followed(struct emit *e, const struct insn *in);
/* A direct call, instruction i of n: pushes (or moves) the return address, then leaves through x. */
void arch_emit_call(struct emit *e, const struct insn *list, u32 i, u32 n, struct exit *x);
/* Indirect jump, call or return: finds its target by itself, or enters the dispatcher with it. What it finds has, if it can
 * be, the given context (jit/context.h). It is expected to be pc, which has an exit of its own; 0: nothing is expected. */
struct prospect { u32 context; addr_t pc; struct exit *x; };
void arch_emit_indirect(struct emit *e, const struct insn *list, u32 i, u32 n, const struct prospect *p);
/* An instruction that raises a signal when it runs: its own bytes. */
void arch_emit_trap(struct emit *e, const struct insn *in);
/* Leave for good through x (system call, emulation): never linked. */
void arch_emit_leave(struct emit *e, struct exit *x);
/* Fill the unused rest of a block with bytes that trap. */
void arch_fill(u8 *p, size_t n);
/* This code is about to be given up: what the calling thread's registers remember of it has to be noted. */
void arch_code_goes(addr_t lo, addr_t hi);

/* ---- patch ---- */
bool arch_link(struct exit *x, struct trace *to);    /* one atomic store each; false: cannot be linked now */
void arch_unlink(struct exit *x);

/* What the arch decides about a trace before it emits it, and needs to know later. has_calls: of the tool (instr_calls);
 * has_changes: it changes instructions; from: the trace that jumps there, if one does. */
bool arch_counts_in_register(u8 arch_flags);    /* see promote_loop_word */
u8 arch_trace_flags(struct emit *e, const struct insn *list, u32 n, enum entry_kind why, bool has_calls, bool has_changes, const struct trace *from);
u8 *arch_entry(const struct trace *t);                               /* with all registers in place */
bool arch_suits(const struct trace *t, const struct trace *from);    /* or had it better be made anew, for whom jumps there? */
void arch_landings_discard(struct landing *list);    /* of a trace that nobody is to find */

/* ---- landings: where indirect branches and returns find translated code. Cache lock held. ---- */
void arch_landings_commit(struct trace *t, struct landing *list);    /* t's own, collected in struct emit */
/* t has reached `to` this way: let it be found next time. */
void arch_landing_add(struct arch_thread *t, struct trace *to, enum entry_kind why);
void arch_landings_remove(struct trace *t);          /* nobody finds t any more */
void arch_landings_free(struct trace *t);            /* nobody is inside any more */
void arch_landings_forget(struct trace *t);          /* at a flush, for every trace: all of them go */
void arch_landings_clear(void);                      /* at a flush, at last */
void arch_landings_wipe(void);                       /* the same without a look at the traces: nothing leads anywhere */
void arch_avoid_faults(void);                        /* a tracer is coming: no more of what arch_mend_stray_pc mends */
/* The kernel stopped the thread where no code is: true if the arch caused that and has mended the context. */
bool arch_mend_stray_pc(struct k_ucontext *uc);

/* ---- cross ---- */
struct thread;
void arch_init(void);                                /* once, before the first thread */
void arch_enter_first(struct thread *t) NORETURN;    /* run the dispatcher for t from its stored registers */
extern u8 arch_restart_lo[], arch_restart_hi[];      /* entering the cache: may be abandoned, see emulate/handler.c */
extern u8 arch_leave_lo[], arch_leave_hi[];          /* leaving it: the dispatcher is next in any case */
extern u8 arch_glue_lo[], arch_glue_hi[];            /* shared routines that belong to the running trace */

/* ---- analysis calls (engine/jit/instrument.h) ---- */
struct site;
struct call;
struct insn_request;
bool arch_flags_are_dead(const struct insn *list, u32 i, u32 n);   /* before instruction i of n */
void arch_stack_init(struct arch_thread *t);         /* t->engine_sp is set: find room for the frame of a call */
u32 arch_calls_size(const struct call *list);        /* most bytes that these calls become */
/* Flags that C code cannot run with are expected from now on: translate all code anew. With a tool, before each entry into
 * the cache: does t come with such flags for the first time? */
bool arch_comes_with_odd_flags(const struct thread *t);
void arch_watch_flags(void);                         /* a tool wants calls: notice them */
/* The tool handles faults of its own routines. It knows their registers: those that stand in a trace keep them from now on. */
void arch_show_faults(void);
static inline bool arch_sets_odd_flags(const struct insn *in);     /* this instruction may bring them about, for the first time */
void arch_expect_odd_flags(const struct thread *t);                /* t: who comes with them; NULL: an instruction does */
/* The calls of one point, one after the other. Nothing that the application can see changes but what they change. */
void arch_emit_calls(struct emit *e, const struct site *s);
void arch_emit_goto(struct emit *e, struct reg_id reg);   /* leave for the application address in a register */
/* Calls behind an instruction that the dispatcher performs: what it needs to make them (jit/instrument.h: kept), and that. */
void *arch_keep_calls(const struct site *s);
void arch_run_calls(struct thread *t, void *kept);
/* What follows runs only if the branch `in` is taken, until arch_emit_untaken: the rest of the trace goes on there. */
u8 *arch_emit_taken(struct emit *e, const struct insn *in);
void arch_emit_untaken(struct emit *e, u8 *from);
/* One iteration of a repeated instruction, if there is any to make; then, perhaps behind calls, on to the next instruction
 * or out through x to make another one. */
static inline bool arch_is_repeated(const struct insn *in);
bool arch_repeats_counted(const struct insn *in);         /* ... and how often is known before it begins, if at all */
void arch_emit_repeated(struct emit *e);                   /* behind one that is made at once */
/* Of an instruction whose first call has a budget (jit/countdown.h): what is emitted behind the first of these makes as many
 * iterations as that lasts for; if they are not all, the second, emitted behind it, leads to what is emitted behind the third, which
 * makes one. Both ways lead to the fourth. */
struct by_budget { u8 *none, *too_little, *at_once, *rest, *done; bool keeps_flags; };
void arch_emit_at_once(struct emit *e, const struct site *s, struct by_budget *b);
void arch_emit_if_all(struct emit *e, const struct site *s, struct by_budget *b);
void arch_emit_one_by_one(struct emit *e, const struct site *s, struct by_budget *b);
void arch_emit_behind_both(struct emit *e, struct by_budget *b);
void arch_emit_iteration(struct emit *e, const struct insn *in);
void arch_emit_repeat(struct emit *e, const struct insn *in, struct exit *x);

/* --check-state (engine/jit/check.c): in front of instruction s->i emitted code calls check_found with the registers as they
 * are and the address of this code, then check_seen with those of a full context. */
void arch_emit_check(struct emit *e, const struct site *s);
void check_found(addr_t code, struct arch_regs *raw);
void check_seen(const struct arch_regs *seen);                       /* does not return if they differ */
struct arch_difference { const char *name; u64 a, b; };
bool arch_differ(const struct arch_regs *a, const struct arch_regs *b, struct arch_difference *out);     /* what differs first */

/* ---- memory operands elsewhere: at an address that a tool register holds ---- */
enum memory_part { PART_EXPLICIT, PART_STACK, PART_SOURCE, PART_DESTINATION, N_PARTS };   /* the last two: of strings */
bool arch_can_move(const struct insn *in, enum memory_part p);
/* Instruction i of n with such operands; moved[part]: number of the tool register + 1, 0: where it always is. One iteration of
 * a repeated one. A direct call leaves through x, other transfers find their way by themselves. */
void arch_emit_moved(struct emit *e, const struct insn *list, u32 i, u32 n, const u8 *moved, struct exit *x);
/* Calls that only count (engine/jit/promote.h): does the routine, called like this, nothing but add constants to words of
 * memory? Can emitted code name the word at this address in one instruction? */
struct count;
bool arch_counts(const struct call *c, struct count *out, u32 *n);
bool arch_counts_down(const struct call *c, struct count *out);      /* add to one word and return whether it is zero then? */
bool arch_reaches(u64 at);
/* Memory that emitted code adds to faster than to other that it reaches, all zero, for good; NULL: there is none, or no more. */
void *arch_near_memory(size_t size);
/* What a call's routine may look at if its code is to stand in the trace. */
enum arch_sight { SEES_NONE, SEES_WORDS, SEES_ANY };
enum { MAX_SEEN_WORDS = 32 };
enum arch_sight arch_sight(const struct call *c, u64 *words, u32 *n);
/* Does fn, with all that it calls, look at its frame and at words that it names (noted at multiples of 8), and at nothing else?
 * is_blind: functions that look at none of the tool's memory. Nor does it use x87 or MMX registers; they do not, either. */
struct sight {
    u64 word[MAX_SEEN_WORDS];
    u32 n;
    bool uses_tls;                              /* memory of the thread, too; but for the stack protector's word */
};
bool arch_sees_words_only(const void *fn, bool (*is_blind)(const void *fn), struct sight *s);

/* Transfers out of a trace with a version: the next trace is of this one. With arch_emit_moved they are written out, so that no
 * other way than the dispatcher's is taken; can it be? */
void arch_emit_version(struct emit *e, u32 version);
bool arch_can_transfer(const struct insn *in);
/* Leave through x if the tool register holds this value. */
void arch_emit_case(struct emit *e, u32 tool_reg, s32 value, struct exit *x);

/* A routine of the tool in the place of one of the application, of which t is at the first instruction: with the routine's
 * own arguments, or with those of a call. Then what the routine's return does. */
void arch_call_in_place(struct thread *t, const void *fn);
void arch_call_with_signature(struct thread *t, const struct call *c, bool returns_float);
void arch_return_from_routine(struct thread *t);
/* Run application code from a routine of the tool, until it returns: t's stored registers are where it begins. The return
 * address it finds is ARCH_NESTED_RETURN; the dispatcher calls arch_nested_end when it comes there. */
void arch_run_nested(struct thread *t);
void arch_nested_end(struct thread *t) NORETURN;
/* Registers and stack of a call of an application routine: n arguments, its return address is `back`. */
void arch_prepare_call(struct arch_context *c, addr_t fn, const u64 *args, u32 n, addr_t back);
u64 arch_call_result(const struct arch_thread *t, bool is_float);

u64 arch_address_value(const struct arch_address *a, const u64 *gpr, u64 fs_base, u64 gs_base);

/* ---- contexts for the tool ---- */
bool arch_uses_tiles(void);                     /* the calling thread's matrix registers hold something */
enum { CONTEXT_FULL, CONTEXT_CONST, CONTEXT_PARTIAL, CONTEXT_KIND = 3 };
/* For ARG_CONTEXT, value: kind, then for a partial one which registers are written back. */
enum { CONTEXT_OUT_FLAGS = 4, CONTEXT_OUT_XSTATE = 8, CONTEXT_OUT_GPR = 16, CONTEXT_OUT_TOOL = 32 };   /* bits; first bits */
struct arch_context;
u8 *arch_context_xstate(struct arch_context *c);      /* its vector state; taken from the registers if still there */
u32 arch_context_xsize(void);
void arch_context_copy(struct arch_context *to, const struct arch_context *from);
void arch_context_get(struct arch_context *to, struct thread *t, bool is_const);   /* the thread's stored registers */
void arch_context_put(struct thread *t, struct arch_context *from);                /* back, vector registers too */
bool arch_context_read(const struct arch_context *c, struct reg_id r, void *to);   /* r.size bytes; false: no such */
bool arch_context_write(struct arch_context *c, struct reg_id r, const void *from);

/* ---- the register file ---- */
static inline addr_t arch_pc(const struct arch_regs *r);
static inline void arch_set_pc(struct arch_regs *r, addr_t pc);
static inline bool arch_is_stepping(const struct arch_regs *r);                /* the application wants a trap per instruction */
/* One instruction for an application that wants a trap after each: before it, the flag that says so goes; afterwards it is
 * back, and what the instruction did with it is as natively. is_done: it was performed. True: the trap is due. */
void arch_step_wanted(struct arch_thread *t);                  /* the application has set its trap flag */
bool arch_has_set_trap(const u8 *code);                        /* is what was executed before `code` an instruction that can? */
void arch_step_begin(struct arch_thread *t);
bool arch_step_end(struct arch_thread *t, bool is_done);
bool arch_step_has_moved(const struct arch_thread *t);         /* the pc is no longer where it began */
void arch_step_fault(struct arch_fault *out);                  /* what the handler of the trap is told */
bool arch_is_canonical(addr_t a);
bool arch_is_kernel_half(addr_t a);
addr_t arch_sp(const struct arch_regs *r);
void arch_mark_fault(struct arch_regs *r);     /* what the CPU does to the flags when an instruction faults */
/* Put back what is parked: by e->restore after a fault, by e->at_rest at the start of an instruction; and parked: e->parked. */
void arch_unspill(struct arch_regs *r, struct arch_thread *t, u32 restore, u32 parked, bool at_start);

/* ---- kernel ---- */
/* older: 0, or 1 + the number by which the program has called it in a table that the kernel keeps for older programs. Its arguments
 * are in that form; `nr` is the call of this table that it amounts to, -1 if the engine need not know. perform: not NULL: what the
 * engine does instead of its handler for `nr`. */
struct thread;
struct syscall_args { long nr; long a[6]; u64 older; long (*perform)(struct thread *t, struct syscall_args *a); };
void arch_sys_get(struct arch_thread *t, struct syscall_args *out);
void arch_sys_set_args(struct arch_thread *t, const struct syscall_args *in);  /* what the kernel will be given */
void arch_sys_result(struct arch_thread *t, long result, addr_t next_pc);      /* also what the instruction clobbers */
u32 arch_sys_audit(const struct arch_thread *t);       /* the kernel's name for the table of the call that is being made */
/* Perform the call in t's registers, unless a signal is pending: then SYS_INTERRUPTED. */
long arch_syscall(struct arch_thread *t, const struct syscall_args *a);
enum { SYS_INTERRUPTED = -5000 };
/* PLAIN: it is going to fault; let it, by running it as it is. */
/* FAULT: as the copy that just failed (t->copy_fault). */
enum emulate_result { EMULATE_DONE, EMULATE_SYSCALL, EMULATE_SIGNAL, EMULATE_FAULT, EMULATE_PLAIN };
struct emulate_out { int sig, code; addr_t address; u32 trap; u64 err; bool is_read; struct syscall_args sys; };  /* trap: 0: as `address` says */
/* The instruction at the pc: performs it and steps the pc; or asks for a system call (in out->sys); or for a signal. */
enum emulate_result arch_emulate(struct thread *t, const struct insn *in, struct emulate_out *out);
/* What a handler is told of a signal that the engine raises itself: no code at an address (is_protection: one that no
 * mapping can have); an emulated instruction that asked for it. */
void arch_fetch_fault(struct arch_fault *out, addr_t address, bool is_present, bool is_protection);
void arch_emulate_fault(struct arch_fault *out, const struct emulate_out *from);
/* ---- the start, and odd places ---- */
struct handoff_regs;
void arch_start_registers(struct thread *t, const struct handoff_regs *r);     /* as the kernel's exec leaves them */
/* Attach: t's registers from r->regs, and r->enter: where and how it enters the engine (attach_computing, attach_from_call). */
struct handoff_thread;
void arch_adopt(struct thread *t, struct handoff_thread *r);
void arch_attach_code(u64 *gate, u64 *again);      /* see struct handoff */
addr_t arch_exit_gate(void);
void arch_leave_code(struct handoff_thread *r);    /* fills in leave_code */
/* Detach. t's registers as the native CPU is to have them; t is the caller, or in the kernel (behind the call), or stopped. */
void arch_native_registers(const struct thread *t, struct handoff_regs *r);
void arch_note_bases(struct arch_thread *t);   /* before a system call: what arch_native_registers cannot see from another thread */
void arch_call_window(u32 i, u64 *lo, u64 *hi);  /* where the pc is before and in a system call of the application's; of ARCH_CALL_PLACES */
/* Where a new thread with these registers begins to run detach_ferry(t); start it. */
void arch_ferry_registers(struct thread *t, struct handoff_regs *r);
void arch_start_ferry(struct syscall_args *a, const struct handoff_regs *r);
bool arch_special_pc(struct thread *t);        /* the pc is not code (vsyscall): performed, the pc has moved */
/* With --stats, each indirect branch is counted in arch_thread's `branches` before it looks for its target. */
enum branch_kind { BRANCH_JUMP, BRANCH_CALL, BRANCH_RETURN, N_BRANCHES };
/* Where it has found it, if not in the tables that all share. */
enum found_by { FOUND_CHAIN, FOUND_LOCAL, FOUND_CLONE, FOUND_SHADOW, N_FOUND };
enum branch_kind arch_branch_kind(const struct arch_thread *t);      /* of the one that has found none */
/* arch_types.h also has ARCH_EXIT_INDIRECT, _GUARDED and _RETURN, in this order: the exit_id of an indirect branch that found no
 * target, by how it looked for it. */
static inline addr_t arch_indirect_target(const struct arch_thread *t);
/* Its target is not canonical, and t is behind it: back to the branch, which faults. False: it is not known. */
bool arch_undo_branch(struct arch_thread *t);
/* The application will look at faults: branches must be known from now on. True: translate all code anew. */
bool arch_name_branches(void);

/* The application is about to map [lo, hi): get out of there. False: it cannot be had now. Cache lock held. */
bool arch_yield_range(addr_t lo, addr_t hi);
/* Does it hold mappings of the arch's own (outside of the private range)? */
bool arch_owns_range(addr_t lo, addr_t hi);

/* ---- threads ---- */
struct thread *arch_thread_at(uintptr_t thread_pointer);                       /* its struct in that TLS block */
/* Clone with the child starting in thr_child_start on [.., stack_top) with this thread pointer; app_tls: what the
 * application asked for as its own, or NULL. */
addr_t arch_clone_sp(u8 *stack_top);                                         /* the stack pointer to ask for */
long arch_clone_thread(struct syscall_args *a, u8 *stack_top, uintptr_t thread_pointer, const u64 *app_tls);
void arch_vfork(const struct syscall_args *a) NORETURN;                        /* both sides: disp_after_vfork */
void arch_inherit(struct arch_thread *child, const struct arch_thread *parent);  /* registers that a new thread starts with */
void arch_thread_release(struct arch_thread *t);      /* it ends: no signal comes any more. What it has got is freed. */
void arch_set_app_tls(struct arch_thread *t, u64 tls);
void arch_thread_end(u32 *done, int status) NORETURN;                          /* *done = 1; exit; no stack used */
void arch_set_sp(struct arch_regs *r, addr_t sp);
#include "arch_inline.h"
#endif
