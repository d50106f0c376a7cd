/* handoff.h: everything the launcher and the engine must agree on, and nothing else.
 *
 * The launcher plants one static-PIE ELF (the engine, a tool and the tool's own libc) into the target, writes a
 * `struct handoff` beside it and starts the ELF at its ordinary entry point. The address of the
 * record reaches it as a private auxiliary-vector entry, so that no environment variable and no argument shows it.
 *
 * The private range lies below every PIE and outside the shadow areas of the sanitizers. Its parts have fixed places:
 *   PRIV_LO         first stack (nothing is mapped below it: an overflow faults), struct handoff, the ELF image
 *   PRIV_CACHE      code cache: within 2 GB of the image, so that emitted code reaches the tool's data rip-relative
 *   PRIV_HEAP       the engine's own memory
 *   PRIV_BRK        what the tool's libc believes to be its brk area
 *   PRIV_MMAP       what the tool's libc maps */
#ifndef COTTER_HANDOFF_H
#define COTTER_HANDOFF_H
#include <stdint.h>

#define PRIV_LO      0x550000000000ull
#define PRIV_CACHE   0x550040000000ull
#define PRIV_CACHE_END 0x550078000000ull
#define PRIV_SHARED  0x5500fffe0000ull          /* up to the heap: what a process shares with its forked children */
#define PRIV_HEAP    0x550100000000ull
#define PRIV_HEAP_END 0x550500000000ull      /* 16 GB: what references reach (engine/cache/trace.h) */
#define PRIV_BRK     0x550080000000ull          /* near, too: small objects that a tool allocates are often counters */
#define PRIV_BRK_END 0x5500bf000000ull
#define PRIV_MMAP    0x552000000000ull
#define PRIV_HI      0x555500000000ull

#define HANDOFF_AUXV    0xC077E4u               /* private auxv tag: the address of struct handoff */
#define HANDOFF_MAGIC   0x31524554544f43ull     /* "COTTER1" */
#define HANDOFF_VERSION 10u                     /* a tool built against another version is refused by the launcher */
#define HANDOFF_STACK_SIZE (1ul << 20)

/* An ELF note in libcotter.a, so that the launcher can tell a tool from another file, and its version. */
#define HANDOFF_NOTE_SECTION ".note.cotter"
#define HANDOFF_NOTE_NAME "Cotter"
enum { HANDOFF_NOTE_TYPE = 1, HANDOFF_NOTE_ABOUT = 2 };     /* the version; one line about a bundled tool (tools/lib/about.h) */
struct handoff_note {
    uint32_t name_size, desc_size, type;
    char name[8];                        /* padded to a multiple of four, as notes are */
    uint32_t version, size;              /* size: of struct handoff, which grows with every option */
};

/* The application's registers at its first instruction: the layout of the kernel's user_regs_struct. */
struct handoff_regs {
    uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
    uint64_t orig_rax, rip, cs, eflags, rsp, ss, fs_base, gs_base, ds, es, fs, gs;
};

enum { STATS_OFF, STATS_TEXT, STATS_JSON };
/* The words of --indirect and --returns. */
enum { INDIRECT_AUTO, INDIRECT_HASH, INDIRECT_TABLE, INDIRECT_LOCAL, INDIRECT_GUARD, INDIRECT_CHAIN, INDIRECT_SHADOW };
enum { RETURNS_AUTO, RETURNS_TABLE, RETURNS_SITE, RETURNS_PRECALL, RETURNS_LOCAL, RETURNS_GUARD, RETURNS_CHAIN,
       RETURNS_CLONE };
enum { OPT_NONE, OPT_INLINE, OPT_FLAGS, OPT_REGALLOC, OPT_SCHEDULE, OPT_PROMOTE, OPT_ALL };    /* each includes those before it */
enum { HANDOFF_LAUNCH, HANDOFF_EXEC, HANDOFF_ATTACH };   /* by ptrace at the exec stop; user-space exec; attach */
enum { OPT_PATH_MAX = 1024 };

/* Engine options, parsed and checked by the launcher. loader/options.def lists them once: name, kind, default, help.
 * Kinds: FLAG (uint32_t 0/1), NUM (uint64_t, suffixes k/m/g), TEXT (char[OPT_PATH_MAX]), ENUM (uint32_t, by words). */
struct handoff_options {
#define OPT_FLAG(field, name, help)                uint32_t field;
#define OPT_NUM(field, name, arg, dflt, lo, hi, help) uint64_t field;
#define OPT_TEXT(field, name, arg, help)           char field[OPT_PATH_MAX];
#define OPT_ENUM(field, name, words, dflt, help)   uint32_t field;
#include "options.def"
#undef OPT_FLAG
#undef OPT_NUM
#undef OPT_TEXT
#undef OPT_ENUM
};

/* A thread that changes sides, into the engine (attach) or out of it (detach). The engine and the launcher fill it by turns;
 * the registers to go on with are put into the stopped thread by ptrace. */
struct handoff_thread {
    int32_t tid;
    uint32_t place;                      /* enum handoff_place: where it is, as the engine knows */
    struct handoff_regs regs;            /* attach: the application's; detach: those to go on with natively */
    struct handoff_regs enter;           /* attach: those to go on with in the engine */
    uint64_t mask;                       /* the application's signal mask */
    uint64_t enter_mask;                 /* attach: the kernel's from now on */
    uint64_t altstack[3];                /* the application's: address, flags, size, as sigaltstack() has them */
    uint64_t new_altstack[3];            /* attach: the engine's */
    uint64_t rseq_at;                    /* its registration for restartable sequences; 0: none */
    uint32_t rseq_size, rseq_signature;
    uint32_t in_call;                    /* attach: it is in a system call that the kernel is ready to restart */
    uint32_t unused;
    uint64_t home_rax;                   /* how it goes on natively by itself: a call that was interrupted is made again */
    uint64_t leave;                      /* address of leave_code, which puts back the last register and goes home */
    unsigned char leave_code[16];
    uint64_t home_rbx, home_pc;          /* it finds them here */
    uint64_t room[8];                    /* attach: what is left of the call's timeout, where that is in memory */
};
enum handoff_place { PLACE_ELSEWHERE, PLACE_IN_CALL, PLACE_PARKED };

/* Of probe mode: probe/space.c and engine/native_return.c fill them in, for themselves too. */
struct handoff_near { uint64_t lo, size, used; };
struct handoff_return { uint64_t slot, to, probe; };

/* Who waits for whom. Each side stores the states that are its own, in this order. */
enum attach_state {
    ATTACH_STARTING,                     /* the helper runs the tool's main() */
    ATTACH_READY,                        /* engine: threads may be stopped and listed */
    ATTACH_LISTED,                       /* launcher: all threads are stopped, here they are */
    ATTACH_PREPARED,                     /* engine: `enter` and new_altstack are filled in */
    ATTACH_SWITCHED,                     /* launcher: every thread has its new registers */
    ATTACH_INSTALLED,                    /* engine: signal handlers are the engine's; threads may run */
    ATTACH_NATIVE,                       /* engine: probe mode; no thread is taken over, the helper ends */
    ATTACH_ABANDONED,                    /* engine: the launcher is gone; threads at the gate go on natively */
    ATTACH_FAILED,                       /* engine: the tool gave up before the start */
};
enum detach_state {
    DETACH_NONE,
    DETACH_ASKED,                        /* the ferry thread is at work: it stops the threads and tells the tool */
    DETACH_PARKING,                      /* engine: threads are on their way to a place they can leave from */
    DETACH_READY,                        /* engine: the launcher may stop them and send them off */
    DETACH_LEAVING,                      /* launcher: every thread is parked, or at the gate */
    DETACH_RELEASED,                     /* engine: signal handlers are the application's */
    DETACH_OVER,                         /* launcher: every thread is native; the ferry ends */
    DETACH_ALONE,                        /* engine: the launcher is gone; each thread leaves by itself, the memory stays */
};
enum { HANDOFF_MAX_THREADS = 16384 };
#define HANDOFF_UNKNOWN (~0ull)                 /* size of an alternate stack that has not been asked for yet */

/* Code that makes a system call: from where its registers are ready to its last instruction, the call itself. */
enum { HANDOFF_WINDOWS = 2 };
struct handoff_window { uint64_t lo, hi; };

struct handoff {
    uint64_t magic;
    uint32_t version, mode;
    struct handoff_regs regs;
    uint64_t image_lo, image_hi;         /* the planted ELF */
    uint64_t steps_page;                 /* code of the launcher's that mapped the ELF; the runtime unmaps it */
    uint64_t stack_lo, stack_hi;         /* the stack its _start runs on; afterwards the main thread's engine stack */
    uint64_t app_phdr, app_entry, app_base;  /* AT_PHDR, AT_ENTRY, AT_BASE of the application */
    uint64_t vdso;                       /* AT_SYSINFO_EHDR */
    int64_t dump_offset;                 /* --dump-trace=FUNCTION: its distance from the program's entry; 0: not by name */
    uint32_t is_followed;                /* the program was executed by another that ran under Cotter */
    uint32_t is_native;                  /* probe mode: threads run natively and cannot be taken or sent off */
    /* ---- changing sides ---- */
    uint32_t attach_state, detach_state;
    uint64_t threads;                    /* struct handoff_thread[], leader first */
    uint32_t n_threads, max_threads;
    uint64_t tables_lo, tables_hi;       /* the engine's memory outside the private range; 0: none */
    uint64_t gate;                       /* attach: code where a thread waits for the helper's word; rbx: its record */
    uint64_t again;                      /* attach: code that makes the call of a record anew, under the engine */
    struct handoff_window calls[HANDOFF_WINDOWS];  /* detach: a thread of PLACE_IN_CALL has its pc in one of them */
    uint64_t actions;                    /* detach: the application's signal actions, [signal - 1], as the kernel has them */
    uint64_t exit_gate;                  /* detach: where a thread in a call waits for the ferry's word; rbx: its record */
    struct handoff_regs ferry;           /* detach: where a thread that the launcher makes begins */
    int32_t ferry_tid;                   /* detach: as it knows itself */
    /* ---- leaving probe mode: what the launcher has to take away ---- */
    uint64_t near;                       /* struct handoff_near[]: memory near the application's code */
    uint64_t returns;                    /* struct handoff_return[]: return addresses that were exchanged; 0: none ever */
    uint64_t return_to;                  /* what they were exchanged for */
    uint32_t n_near, n_returns;
    uint32_t may_leave;                  /* the ferry can be sent */
    uint32_t is_known;                   /* the program has been given addresses of the tool's: its memory stays */
    int32_t helper;                      /* the launcher's, a child that the engine has to reap; 0: none */
    uint32_t is_mapping;                 /* the tables are being mapped, and tables_hi does not tell yet: not the time to end this thread */
    uint64_t launch_ns;                  /* CLOCK_MONOTONIC when the launcher started */
    char launcher_path[OPT_PATH_MAX];    /* absolute path of the cotter command, for followed children */
    char tool_path[OPT_PATH_MAX];        /* absolute path of the planted ELF */
    char program[OPT_PATH_MAX];          /* absolute path of the application's ELF: its /proc/self/exe */
    /* The launcher's own arguments up to, not including, --exec-as: to be repeated for a followed child (see
     * launcher/follow.c). n_follow_args strings, one after the other, each with its NUL; empty ones are possible. */
    uint32_t n_follow_args, follow_args_size;
    char follow_args[8192];
    struct handoff_options opt;
};
#endif
