/* thread.h: one application thread as the engine sees it. It is a thread-local variable of the planted ELF, so emitted
 * code reaches it at a constant distance from FS, on every thread alike. */
#ifndef ENGINE_THREAD_H
#define ENGINE_THREAD_H
#include "arch/arch.h"
#include "arch_signal.h"
#include "base/lock.h"

/* What the kernel keeps per process and vfork children must not share with their parent. */
enum { N_OWNED = 5 };
struct held_place { u32 state; struct k_siginfo info; };
struct process {
    struct k_sigaction action[K_NSIG];     /* [sig - 1]: what the application asked for */
    struct lock lock;
    struct held_place held[N_OWNED];       /* sent to the process while blocked (emulate/held.c) */
};

/* A signal between its arrival and its delivery. All others are blocked meanwhile, so there is one at the most. */
struct pending {
    u32 sig;                               /* 0: none */
    bool is_sync;                          /* raised by the instruction at the pc */
    struct k_siginfo info;
    struct arch_fault fault;               /* what the kernel says about the cause */
};

/* System-call user dispatch (prctl): calls from outside [lo, lo + len) become SIGSYS when *selector says so. */
struct dispatch_filter { bool is_on; addr_t lo; u64 len; addr_t selector; };

/* What the application told the kernel about restartable sequences before it was attached to; at 0: nothing. */
struct rseq_registration { addr_t at; u32 size, signature; };

/* A trace that was left in the middle: before the instruction at pc, or while that was being executed (has_begun). */
struct interruption { addr_t trace, pc; bool has_begun; };         /* trace 0: none */

struct vfork_record;
struct seccomp;
struct handoff_thread;

struct thread {
    struct arch_thread arch;               /* first: assembly and emitted code know its offsets */
    struct thread *next, *prev;            /* all threads; guarded by the thread lock */
    struct process *proc;
    int tid;
    u32 index;                             /* small number, used again when the thread has ended: tools count on it */
    int parent_tid;                        /* the thread that made it; 0: none */
    u64 clone_flags;
    addr_t clear_tid;                      /* the word that the kernel clears when the thread ends; 0: none */
    u32 insn_len;                          /* of the system-call instruction being performed */
    u32 next_version;                      /* of the next trace to run (jit/replace.h) */
    struct nested *nested;                 /* application code run by a routine of the tool: the innermost (arch) */
    bool run_once;                         /* the next instruction alone, from a trace that is thrown away (smc.c) */
    bool run_as_plain;                     /* and not emulated: it will fault, and the CPU knows best how */
    u64 epoch;                             /* cache epoch at which it entered the cache; 0: outside */
    bool stays_in_cache;                   /* in a system call, too: its trace is still needed */
    u64 app_mask;                          /* the application's signal mask */
    u64 unblocked;                         /* signals that the tool wants to see while the application blocks them */
    u64 saved_mask;                        /* mask to return to after sigsuspend and its like */
    bool has_saved_mask;
    bool faults_in_place;                  /* sent to where no code is, so that a tracer sees the fault (run.c) */
    bool has_set_trap;                     /* the application has set the trap flag, and the dispatcher does not know yet */
    bool is_stepping;                      /* being single-stepped to the next application instruction */
    bool is_ending;                        /* in exit */
    bool is_app_step;                      /* an instruction is stepped for the application (run.c) */
    struct interruption left;              /* the tool is to be told (run.c) */
    struct dispatch_filter filter;         /* not inherited by threads and children */
    const struct seccomp *seccomp;         /* the newest filter, which knows the others; NULL: none */
    u64 held;                              /* engine-owned signals that came while the application blocks them */
    struct k_siginfo held_info[N_OWNED];   /* of each of them (held.c) */
    bool is_sharing;                       /* one was added that is for the whole process */
    u64 lent;                              /* blocked in the kernel during a system call, */
    long call;                             /* which is this one */
    u32 in_kernel;                         /* in a call of the application's, or an instruction away from it */
    u32 is_writing;                        /* the kernel may be writing for it what this call asks for (emulate/expose.c) */
    struct syscall_args writes;
    u32 is_safe;                           /* at rest, or about to be (emulate/stop.c) */
    u32 runs_alone;                        /* goes on while the others are held (emulate/stop.c) */
    struct arch_context *stopped;          /* while stopped by another thread: all its registers */
    struct handoff_thread *transit;        /* while it leaves (detach) */
    struct handoff_thread *arrival;        /* attach: not all is known of it yet: see attach_settle */
    struct rseq_registration rseq;
    struct arch_context *first_context;    /* made by the tool: the registers it begins with */
    struct pending pend;
    struct pending async;                  /* an asynchronous signal overtaken by a synchronous one */
    struct pending copy_fault;             /* of mem_copy_safely, the last one that failed */
    struct k_stack altstack;               /* the application's */
    struct vfork_record *vfork;            /* set in a vfork child: what the parent gets back */
    struct rt_thread *rt;                  /* its share of the tool's libc; NULL on the main thread */
    u8 *stack, *sigstack;                  /* engine stack and stack of the master signal handler */
    size_t stack_size, sigstack_size;
    u64 tick_from, cpu_from;               /* statistics: when the current phase began; of a system call, in CPU time */
    struct { addr_t pc; u8 *code; } last[8];   /* for the crash report: the last places dispatched */
    u32 n_last;
};

extern __thread struct thread thr_self;

void thr_init_main(int tid);
struct thread *thr_new(void);              /* with an engine stack and a share of the tool's libc; NULL: memory is out */
/* A thread that the application did not ask for, child of t (the caller), that begins with these registers. Its number, or an error. */
long thr_spawn(struct thread *t, const struct arch_context *c);
void thr_exit(struct thread *t, int status) NORETURN;   /* the caller, by the tool's wish: as if it had asked for it */
void thr_enter_rt(struct thread *t);       /* on the thread itself: from now on it may run code of the tool */
void thr_attach_list(struct thread *t);
void thr_attach_locked(struct thread *t);   /* thread lock held */
void thr_detach_list(struct thread *t);
u64 thr_oldest_epoch(void);                /* the smallest epoch of a thread inside the cache; ~0: nobody is */
u32 thr_count(void);
bool thr_alone(void);
void thr_only_survivor(struct thread *t);  /* in a forked child */
u32 thr_take_index(void);                  /* a thread number, for a thread that the engine does not know */
void thr_give_index(u32 index);
bool thr_shares_memory(int tid);           /* false: that thread has ended, or its process has executed another program */
struct lock *thr_lock(void);
struct thread *thr_first(void);            /* thread lock held; then t->next */
#endif
