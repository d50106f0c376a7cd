/* native.h: what probe mode asks of a CPU. The application runs natively, with its own thread pointer, and calls the tool
 * through stubs that patched routines lead to.
 *
 * The planted ELF is compiled for the same thread pointer register (FS) as the application. In probe mode its code is changed
 * to the other one (GS), instruction by instruction, before the application starts: the tool's thread-local data is in reach
 * at any time, and nothing has to be switched, neither on the way in nor out, nor when a signal handler of the application
 * interrupts the tool. See docs/probe.md. */
#ifndef ARCH_NATIVE_H
#define ARCH_NATIVE_H
#include "base/types.h"

struct thread;
struct call;
struct handoff_regs;
struct native_probe;
struct arch_native_frame;               /* all general registers and flags, as the application had them */

void arch_native_init(void);            /* instead of arch_init */

/* The tool's own code in [lo, hi), which is writable: change its thread pointer register. How many instructions were. The
 * caller's own must be the same in both by then (arch_native_mirror). */
u32 arch_native_convert(addr_t lo, addr_t hi);
void arch_native_mirror(void);

/* The application's thread pointer; is the calling thread's tool data in place, foreign (the application uses the
 * register itself), or none? Use t's from now on. These need no thread-local data. */
u64 arch_native_pointer(void);
u64 arch_native_tool_pointer(void);
u64 arch_native_pointer_of(const struct thread *t);
void arch_native_use(struct thread *t, u64 app_pointer);
u64 arch_native_seen(const struct thread *t);           /* the application's pointer when t was last used */

/* Stubs: code that a patched routine's slot leads to.
 *   CALLS      native_probe.before, at the beginning of a routine, with all general and vector registers kept; then `next`
 *   CALLS_ALL  the same at any instruction: x87 and MXCSR are kept too, and the calls may show all of them
 *   JUMP       to `next` in the tool, as if the application had called it
 *   SIGNATURE  native_probe.replacement, whose result is the application's */
enum arch_stub { STUB_CALLS, STUB_CALLS_ALL, STUB_JUMP, STUB_SIGNATURE };
enum { ARCH_STUB_SIZE = 64 };
void arch_native_stub(u8 room[ARCH_STUB_SIZE], enum arch_stub kind, const struct native_probe *p, const void *next);
/* A stopped thread, with these registers (arch/probe.h): it makes p's calls, and then goes on as it would have, a system call that
 * was interrupted included. False: not where it is now. */
bool arch_native_divert(u8 room[ARCH_STUB_SIZE], const struct native_probe *p, int tid, u64 *regs);
/* Do the tool's routine, or the arguments of its call, have to do with vector registers? */
bool arch_native_uses_vectors(const struct call *c);
extern const u8 arch_native_return[];                   /* where a routine with calls behind it returns to */

/* The first instruction of the application, with these registers. */
void arch_native_enter(const struct handoff_regs *r) NORETURN;
#endif
