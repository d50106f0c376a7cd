/* probe.h: what the patching core (probe/) asks of a CPU. It knows nothing of the engine: no threads, no cache, no JIT. */
#ifndef ARCH_PROBE_H
#define ARCH_PROBE_H
#include "base/types.h"

enum {
    ARCH_PROBE_JUMP = 5,                /* bytes of a jump that reaches a near place */
    ARCH_PROBE_SLOT = 16,               /* bytes of a jump through a word, word included */
    ARCH_PROBE_GROWTH = 20,             /* a copied instruction needs so many bytes at the most */
    ARCH_PROBE_TAIL = 5,                /* and the jump back behind the last one */
    ARCH_PROBE_LONGEST = 15,            /* bytes of an instruction */
};
#define ARCH_PROBE_REACH 0x7ff00000ul   /* a near place is not farther away than this */

enum arch_probe_flow { FLOW_ON, FLOW_ENDS, FLOW_UNKNOWN };      /* falls through; never does; not an instruction */

/* One instruction, as far as patching is concerned. */
struct arch_probe_insn {
    u8 len, flow;
    bool is_padding;                    /* does nothing: found between routines */
    bool is_call;                       /* its target is the beginning of a routine */
    bool pushes_return;                 /* a call, direct or not */
    bool is_breakpoint, is_indirect;    /* int3; a jump to where a register or memory says */
    bool can_move;                      /* arch_probe_copy can make it do the same elsewhere */
    bool has_target;
    addr_t target;                      /* of a direct branch */
};
/* Reads at most `room` bytes at `at`, which must be readable. */
void arch_probe_decode(addr_t at, size_t room, struct arch_probe_insn *out);

/* An instruction at `from` that is to run at `to`. A branch leads to `target` (the caller decides whether that is the
 * original place or another copy); returns_to: where its callee is to return, 0 for behind the copy. Writes
 * arch_probe_size bytes; false: what it refers to cannot be reached from there. */
u32 arch_probe_size(addr_t from, size_t room, bool returns_home);
bool arch_probe_copy(u8 *to, addr_t from, size_t room, addr_t target, addr_t returns_to);

/* Jumps. The first reaches near places only; the second goes where the word at its end, aligned, says. */
bool arch_probe_jump(u8 bytes[ARCH_PROBE_JUMP], addr_t at, addr_t to);
u64 *arch_probe_slot(u8 slot[ARCH_PROBE_SLOT], u64 to);

/* Replace n bytes (ARCH_PROBE_JUMP at the most) of code that other threads may be about to execute, none of them in its
 * middle. The memory is writable. False: not possible here while they run. */
bool arch_probe_write(addr_t at, const u8 *bytes, u32 n, bool others_run);

/* A process of its own that shares memory and descriptors with this one, runs f(arg) and ends. Its pid, or an error. */
long arch_probe_spawn(void (*f)(void *), void *arg, void *stack_top);
/* A word on a stack that is a code address: does it belong to what the kernel saved for a signal handler? */
bool arch_probe_is_saved_pc(const addr_t *word, const addr_t *end);
/* A stopped thread is in a system call that the kernel would end with EINTR, handler or none, and that has no timeout: with these
 * registers it is made again. False: nothing is changed. */
bool arch_probe_call_again(u64 *regs);
/* Registers as ptrace gives them. */
enum { ARCH_PTRACE_WORDS = 27, ARCH_PTRACE_PC = 16, ARCH_PTRACE_SP = 19 };
#endif
