/* probe.h: redirect routines of a running program by a jump over their first bytes.
 *
 * A module of its own: it uses base/ and the CPU's contract in arch/probe.h, and nothing of the engine. The host calls
 * heap_init first. Life of a probe:
 *
 *   plan      which instructions have to give way, and may they? (probe_plan: a named refusal, or none)
 *   relocate  a copy of them in near memory that does the same there and goes on behind the jump (probe_make)
 *   place     write the jump; no thread is ever in the middle of what is replaced (probe_place)
 *   retarget  lead it elsewhere, with one store (probe_retarget)
 *   remove    put the original bytes back (probe_remove); the copy stays for those who are inside
 *
 * Any thread, not from a signal handler; one lock guards everything. */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H
#include "base/types.h"

#define PROBE_REASONS(X) \
    X(OK,             "") \
    X(NOT_CODE,       "no executable memory there") \
    X(UNKNOWN,        "bytes that are no known instruction") \
    X(IMMOVABLE,      "an instruction that cannot run elsewhere") \
    X(TOO_SHORT,      "the routine is shorter than a jump, and no padding follows") \
    X(BREAKPOINT,     "a breakpoint stands there already") \
    X(BRANCH_INSIDE,  "the routine branches into the bytes that the jump would replace") \
    X(BRANCH_TO_ENTRY, "the routine branches back to its own beginning") \
    X(MAYBE_TARGET,   "code elsewhere seems to branch into the bytes that the jump would replace") \
    X(INDIRECT,       "the routine jumps where a register or memory says, so it cannot be moved whole") \
    X(NO_NEAR_MEMORY, "no free memory within reach of a jump") \
    X(OUT_OF_REACH,   "it refers to something that its copy could not reach") \
    X(TAKEN,          "another probe stands there") \
    X(BUSY,           "a thread stays in the middle of the bytes that would be replaced") \
    X(CANNOT_STOP,    "the other threads cannot be stopped (ptrace is refused or in use)") \
    X(CANNOT_WRITE,   "the memory cannot be made writable") \
    X(NO_MEMORY,      "out of memory")

enum probe_reason {
#define X(name, text) PROBE_##name,
    PROBE_REASONS(X)
#undef X
};
const char *probe_why(enum probe_reason r);

enum {
    PROBE_WHOLE = 1,            /* the whole routine may be copied when it branches into its first bytes */
    PROBE_RISK_TARGETS = 2,     /* what only seems to be a branch target does not count */
    PROBE_ANYWHERE = 4,         /* no routine begins there: branches to the very place meet the probe, as they should */
};

/* All direct branches (no calls) of a range of code, by a linear sweep; made once for many plans. */
struct probe_targets;
struct probe_targets *probe_targets_find(addr_t lo, addr_t hi);
bool probe_targets_any(const struct probe_targets *t, addr_t lo, addr_t hi);     /* into [lo, hi)? */
void probe_targets_free(struct probe_targets *t);

/* Where a probe is wanted. */
struct probe_site {
    addr_t at;
    size_t size;                        /* of the routine from there on */
    size_t room;                        /* up to the next routine: padding behind this one may be replaced too */
    u32 flags;
    const struct probe_targets *targets;    /* of the code around it; NULL: not looked at */
};

enum { PROBE_MAX_INSNS = 8 };           /* that a jump can replace, one byte each, and one more */
struct probe_plan {
    addr_t at;
    u32 span;                           /* bytes that are copied */
    u32 n_insns;                        /* instructions that are copied */
    bool is_anywhere;                   /* PROBE_ANYWHERE */
    bool is_whole;                      /* the whole routine is copied */
    bool is_single;                     /* only one instruction gives way: nobody can be in the middle */
};
enum probe_reason probe_plan(const struct probe_site *s, struct probe_plan *p);

struct probe;
enum probe_reason probe_make(const struct probe_site *s, struct probe **out);
const void *probe_original(const struct probe *p);      /* the copy: does what the routine did */
addr_t probe_address(const struct probe *p);
struct probe *probe_find(addr_t at);                    /* made at this very address; NULL: none */

/* is_quiet: the caller knows that no other thread executes this routine, nor will until the call returns. */
enum probe_reason probe_place(struct probe *p, const void *to, bool is_quiet);
void probe_retarget(struct probe *p, const void *to);
enum probe_reason probe_remove(struct probe *p);
bool probe_is_placed(const struct probe *p);
/* The code at [lo, hi) is gone, with the probes in it: they are forgotten, nothing is written. */
void probe_forget(addr_t lo, addr_t hi);

/* With all other threads at rest: `visit` sees the registers of each, as ptrace has them, and may change them: true. It runs in
 * a process that shares our memory, and uses no libc, no lock and no thread-local data. */
enum probe_reason probe_visit_threads(bool (*visit)(void *arg, int tid, u64 *regs), void *arg);

void probe_forked(void);                                /* in the only thread of a child process */

addr_t probe_mapping_end(addr_t at);                    /* of the mapping that holds it; 0: none */

/* Executable memory within reach of `at`, never given back. NULL: none. */
u8 *probe_near(addr_t at, size_t size);
/* All that there is of it: for a host that leaves for good, and knows that no thread is in it any more. */
struct probe_block { addr_t lo; size_t size, used; };
const struct probe_block *probe_blocks(u32 *n);
#endif
