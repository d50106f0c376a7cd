/* signal.h: the contract between generic code and a CPU, signals: see arch.h. arch_signal.h of an arch folder has the
 * kernel's structures and then includes this header. */
#ifndef ARCH_SIGNAL_CONTRACT_H
#define ARCH_SIGNAL_CONTRACT_H
#include "base/types.h"

struct arch_fault;
struct arch_regs;
struct arch_thread;
struct k_sigaction;
struct k_siginfo;
struct k_stack;
struct k_ucontext;
struct k_user_regs;
struct thread;

/* Build the frame that the application's handler expects and aim t's registers at it. False: the stack is bad. */
bool arch_frame_push(struct thread *t, u32 sig, const struct k_sigaction *act, const struct k_siginfo *info,
                     const struct arch_fault *fault, u64 mask);
/* Undo it for rt_sigreturn: registers, vector state; the mask and alternate stack to restore. With bad vectors the rest is undone
 * all the same, as the kernel does it. */
enum frame_state { FRAME_UNREADABLE, FRAME_BAD_VECTORS, FRAME_GOOD };
enum frame_state arch_frame_pop(struct thread *t, u64 *mask, struct k_stack *alt);

/* Between the kernel's context and ours. */
void arch_context_load(struct arch_regs *to, const struct k_ucontext *from);
addr_t arch_context_pc(const struct k_ucontext *uc);
u64 arch_context_count(const struct k_ucontext *uc);             /* if it is in a trace of arch_counts_in_register: the count */
u64 arch_context_iterations(const struct k_ucontext *uc);        /* if it is at a repeated instruction: how many are left */
addr_t arch_context_sp(const struct k_ucontext *uc);
bool arch_is_in_hosted_code(const struct arch_thread *t, addr_t sp);     /* in the tool, or in what serves it */
addr_t arch_frames_end(const struct arch_thread *t, addr_t sp);           /* no frame of it lies behind this */
bool arch_is_behind_call(const u8 *code);                                /* is there a call instruction in front? */
bool arch_call_target(const u8 *code, addr_t *to);                       /* where it leads; false: only a register knows */
bool arch_jumps_to(const u8 *lo, const u8 *hi, addr_t to);                /* does any of this code, as its last deed? */
void arch_context_set_pc(struct k_ucontext *uc, addr_t pc);
void arch_handler_begin(void);                                     /* in the handler, first: flags that compiled code needs clear */
bool arch_is_stepped_by_tracer(void);                              /* in the handler, which the kernel starts without the flag */
void arch_context_step(struct k_ucontext *uc, bool on);          /* trap after one more instruction */
void arch_context_fault(const struct k_ucontext *uc, struct arch_fault *out);
bool arch_context_is_trap(const struct k_ucontext *uc);          /* the pc is behind the instruction that raised it */
void arch_context_resume(struct k_ucontext *uc);                 /* return into the dispatcher */
void arch_tracee_registers(struct thread *t, struct k_user_regs *r);   /* of t, stopped by ptrace: the application's */
u64 arch_context_result(const struct k_ucontext *uc);            /* where a system call leaves its result */

/* Where the engine's own code may be interrupted (see entry.S). */
bool arch_in_syscall_window(addr_t pc);
void arch_abort_syscall(struct k_ucontext *uc);
bool arch_call_was_interrupted(const struct k_ucontext *uc);   /* by this signal, with nothing done */
bool arch_in_safe_copy(addr_t pc);
void arch_fail_safe_copy(struct k_ucontext *uc);
addr_t arch_app_call_end(u32 i);                /* behind an instruction that makes the application's system calls; ARCH_CALL_PLACES of them */
addr_t arch_sigreturn_stub(void);

/* A fault of the CPU's that the kernel answers with `sig`; returns if there is none. */
void arch_fault_as(int sig);
bool mem_copy_safely(void *to, const void *from, size_t n);
bool arch_is_hosted(void);                                       /* is such code running, called by arch_call_hosted? */
long arch_call_hosted(long (*f)(void *), void *arg);             /* call code that uses vector registers */
/* The same, for code that asks for no context; is_simple: and that makes no use of odd registers, as arch_sees_words_only judges. */
long arch_call_briefly(long (*f)(void *), void *arg, bool is_simple);
void arch_go_native(struct thread *t) NORETURN;                   /* with its stored registers, mask and handler stack */
size_t arch_sigstack_size(void);
size_t arch_xsave_size(void);
#endif
