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
#define PRIV_SHARED  0x5500fffff000ull          /* one page that a process shares with its forked children */
#define PRIV_HEAP    0x550100000000ull
#define PRIV_HEAP_END 0x550800000000ull
#define PRIV_BRK     0x551000000000ull
#define PRIV_BRK_END 0x551800000000ull
#define PRIV_MMAP    0x552000000000ull
#define PRIV_HI      0x555500000000ull

#define HANDOFF_AUXV    0xC077E4u               /* private auxv tag: the address of struct handoff */
#define HANDOFF_MAGIC   0x31524554544f43ull     /* "COTTER1" */
#define HANDOFF_VERSION 3u                      /* a tool built against another version is refused by the launcher */
#define HANDOFF_STACK_SIZE (1ul << 20)

/* An ELF note in libcotter.a, so that the launcher can tell a tool from another file, and its version. */
#define HANDOFF_NOTE_SECTION ".note.cotter"
#define HANDOFF_NOTE_NAME "Cotter"
enum { HANDOFF_NOTE_TYPE = 1, HANDOFF_NOTE_ABOUT = 2 };     /* the version; one line about a bundled tool (tools/lib/about.h) */
struct handoff_note {
    uint32_t name_size, desc_size, type;
    char name[8];                        /* padded to a multiple of four, as notes are */
    uint32_t version;
};

/* The application's registers at its first instruction: the layout of the kernel's user_regs_struct. */
struct handoff_regs {
    uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
    uint64_t orig_rax, rip, cs, eflags, rsp, ss, fs_base, gs_base, ds, es, fs, gs;
};

enum { STATS_OFF, STATS_TEXT, STATS_JSON };
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
