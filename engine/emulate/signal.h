/* signal.h: the application's signals. The kernel knows one handler only, the engine's; see docs/life-of-a-signal.md. */
#ifndef EMULATE_SIGNAL_H
#define EMULATE_SIGNAL_H
#include "engine/thread.h"

static inline u64 bit(u32 sig) { return 1ull << (sig - 1); }
#define OWNED (bit(K_SIGSEGV) | bit(K_SIGBUS) | bit(K_SIGFPE) | bit(K_SIGILL) | bit(K_SIGTRAP))
static inline bool is_owned(u32 sig) { return OWNED & bit(sig); }      /* the engine must see it: never blocked in the cache */

void sig_init(struct thread *t);
void sig_init_thread(struct thread *t);             /* on the thread itself: stack of the master handler */
struct k_stack sig_new_stack(struct thread *t);     /* that stack, for a thread that is told of it in another way */
u64 sig_kernel_mask(const struct thread *t, u64 mask);   /* what the kernel is to block when the application blocks `mask` */
void sig_raise(struct thread *t, int sig, int code, addr_t address, const struct arch_fault *fault);
bool sig_is_default_deadly(const struct thread *t, u32 sig);
void sig_deliver(struct thread *t);                 /* hand the pending signal to the application; may end the process */
void sig_set_mask(struct thread *t, u64 mask);      /* the application's mask, here and in the kernel */
void sig_give_back(struct process *p);              /* before exec: ignored signals must be ignored in the kernel too */
void sig_own_again(struct thread *t, u32 sig); /* the kernel has forgotten what the engine wants of an owned signal */
void sig_process_restore(struct process *p);        /* undo sig_give_back when the exec failed */
void sig_clear_actions(struct process *p);          /* in a child that asked for it: what is not ignored is the default again */
void sig_die(int sig) NORETURN;                     /* end the process as the default action does */
void sig_process_init(struct process *p);
void sig_process_release(struct process *p);        /* the kernel gets all actions as the application has them, for good */
/* For a tool: see this signal whether or not the application catches it; even while the application blocks it. */
void sig_want(struct thread *t, u32 sig, bool on);
void sig_unblock(struct thread *t, u32 sig, bool on);

/* system calls */
struct syscall_args;
/* t is about to wait in this call: which mask is in force meanwhile? */
void sig_note_wait(struct thread *t, const struct syscall_args *a);
long sig_sys_action(struct thread *t, const struct syscall_args *a);
long sig_sys_mask(struct thread *t, const struct syscall_args *a);
long sig_sys_altstack(struct thread *t, const struct syscall_args *a);
bool sig_sys_return(struct thread *t);              /* false: the frame was bad and SIGSEGV is pending */
#endif
