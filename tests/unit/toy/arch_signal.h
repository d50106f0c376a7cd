/* arch_signal.h: the kernel's signal structures as a toy kernel would have them: what generic headers name. */
#ifndef TOY_ARCH_SIGNAL_H
#define TOY_ARCH_SIGNAL_H
#include "base/types.h"

enum { ARCH_CALL_PLACES = 1 };
enum { K_NSIG = 64 };
enum { K_SIGHUP = 1, K_SIGINT, K_SIGQUIT, K_SIGILL, K_SIGTRAP, K_SIGABRT, K_SIGBUS, K_SIGFPE, K_SIGKILL, K_SIGUSR1,
       K_SIGSEGV, K_SIGUSR2, K_SIGPIPE, K_SIGALRM, K_SIGTERM, K_SIGSTKFLT, K_SIGCHLD, K_SIGCONT, K_SIGSTOP, K_SIGTSTP,
       K_SIGTTIN, K_SIGTTOU, K_SIGURG, K_SIGXCPU, K_SIGXFSZ, K_SIGVTALRM, K_SIGPROF, K_SIGWINCH, K_SIGIO, K_SIGPWR,
       K_SIGSYS };
enum { K_SA_NOCLDSTOP = 1, K_SA_NOCLDWAIT = 2, K_SA_SIGINFO = 4, K_SA_UNSUPPORTED = 0x400, K_SA_RESTORER = 0x04000000,
       K_SA_ONSTACK = 0x08000000, K_SA_RESTART = 0x10000000, K_SA_NODEFER = 0x40000000,
       K_SA_RESETHAND = (int)0x80000000 };
enum { K_SIG_DFL = 0, K_SIG_IGN = 1 };
enum { K_SIG_BLOCK, K_SIG_UNBLOCK, K_SIG_SETMASK };
enum { K_SS_ONSTACK = 1, K_SS_DISABLE = 2 };
#define K_SS_AUTODISARM (1u << 31)

struct k_sigaction { u64 handler, flags, restorer, mask; };
struct k_stack { u64 sp; s32 flags; u32 pad; u64 size; };

struct k_siginfo {
    s32 signo, err, code, pad;
    union { u64 addr; struct { s32 pid, uid; }; struct { u64 call_addr; s32 call; u32 call_arch; }; u8 rest[112]; };
};

struct arch_fault { u64 reason; };
struct k_user_regs { u64 r[8], pc; };

struct k_ucontext {
    u64 flags, link;
    struct k_stack stack;
    struct { u64 pc; } mc;
    u64 mask;
};

#include "arch/signal.h"
#endif
