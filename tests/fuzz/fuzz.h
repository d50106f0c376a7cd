/* fuzz.h: the random-instruction fuzzer. What its parts share.
 *
 * A case is a short sequence of instructions at a fixed address, with a seed from which its initial registers, flags,
 * vector and x87 state and memory follow. gen.c makes cases (with the help of Zydis, catalog.c and allow.c); exec.c
 * runs them through harness.S and catches their faults; state.c makes the initial state and reads the final one.
 * Generating and running are apart, so that only the running happens under Cotter. */
#ifndef FUZZ_H
#define FUZZ_H

/* Places. Everything that a case can reach by accident lies in one of two areas, far from the fuzzer itself. */
#define AREA_LOW     0x20000000
#define AREA_HIGH    0x612300000000
#define AT_CODE      0x000000        /* slots of SLOT bytes */
#define AT_WINDOW    0x100000        /* data */
#define AT_INDEX     0x180000        /* read-only: small numbers for gathers and scatters, 32 and 64 bits wide */
#define AT_CONTROL   0x181000        /* read-only: good values for mxcsr and the x87 control word */
#define AT_STACK     0x200000
#define SLOT         512
#define SLOTS        64
#define WINDOW       16384
#define STACK        16384
#define HARNESS_AT   0x3f5a12340000
#define XAREA        8192            /* room for an xsave area */

/* Offsets into struct harness, for harness.S. */
#define H_IN         0               /* rax rcx rdx rbx rsp rbp rsi rdi r8..r15 flags: the machine's register order */
#define H_OUT        136
#define H_FLAGS      128             /* within H_IN and H_OUT */
#define H_TARGET     272
#define H_SAVED_RSP  280
#define H_MASK       288
#define H_USE_SEG    296
#define H_FS         304
#define H_GS         312
#define H_OLD_FS     320
#define H_MXCSR      328
#define H_XIN        512
#define H_XOUT       (512 + XAREA)

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum { CASE_CODE = 464, CASE_INSNS = 32 };
enum { RSP = 4, FLAGS = 16 };

/* One case, as it lies in a file. The code is followed by a jump to the harness. */
struct fuzz_case {
    u64 seed;
    u32 number;
    u8 uses_seg;                     /* fs and gs point into the window while it runs */
    u8 has_call;                     /* contains a call or return: see state_digest */
    u8 n_insns, pad;
    u16 len;
    u16 at[CASE_INSNS];              /* where each instruction starts */
    u8 code[CASE_CODE];
};

struct fuzz_file {
    char magic[8];
    u64 seed;
    u32 count, pad;
};
#define FUZZ_MAGIC "CTFUZZ1"

/* The page behind the harness's code. */
struct harness {
    u64 in[17], out[17];
    u64 target, saved_rsp, mask, use_seg, fs, gs, old_fs;
    u32 mxcsr, pad;
    u8 fill[H_XIN - H_MXCSR - 8];
    u8 xin[XAREA], xout[XAREA];
};
_Static_assert(offsetof(struct harness, out) == H_OUT, "layout");
_Static_assert(offsetof(struct harness, target) == H_TARGET, "layout");
_Static_assert(offsetof(struct harness, old_fs) == H_OLD_FS, "layout");
_Static_assert(offsetof(struct harness, mxcsr) == H_MXCSR, "layout");
_Static_assert(offsetof(struct harness, xin) == H_XIN, "layout");
_Static_assert(offsetof(struct harness, xout) == H_XOUT, "layout");

/* The state at the end of a case, in a form that does not depend on how it was saved. */
struct final {
    u64 gpr[17];
    u32 signo, code;                 /* 0: the case ran to its end */
    u64 addr, rip, err, trapno;
    u16 fcw, fsw, ftw, fop;
    u64 fip, fdp;
    u8 st[8][10];
    u32 mxcsr;
    u8 vec[32][64];
    u64 k[8];
};

static inline u64 area_of(u32 number) { return number / SLOTS & 1 ? AREA_HIGH : AREA_LOW; }
static inline u64 code_of(u32 number) { return area_of(number) + AT_CODE + number % SLOTS * SLOT; }

/* random.h, so to speak: splitmix64, one stream per case. */
struct rng { u64 s; };
static inline u64 rnd(struct rng *r)
{
    u64 z = r->s += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static inline u32 below(struct rng *r, u32 n) { return (u32)(rnd(r) % n); }
static inline bool chance(struct rng *r, u32 percent) { return below(r, 100) < percent; }

/* gen.c */
void gen_start(u64 seed);
void gen_case(struct fuzz_case *c, u64 seed, u32 number);
void gen_print(const struct fuzz_case *c);
void gen_kinds(void);

/* state.c */
void state_init(struct harness *h, const struct fuzz_case *c);
void state_fill(const struct fuzz_case *c);
void state_from_xsave(struct final *f, const u8 *area);
void state_digest(const struct fuzz_case *c, const struct final *f);
void state_print(const char *what, const struct final *f);
void state_print_memory(const struct fuzz_case *c);
void state_layout(u64 *mask, u64 *size);

/* exec.c */
void exec_start(void);
void exec_batch(struct fuzz_case *cases, u32 n, u32 from, int only, u32 repeat, bool verbose);
#endif
#endif
