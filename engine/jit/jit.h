/* jit.h: application code in, traces out. The stages, each a file:
 *   fetch.c     application bytes, safely, and only where the application itself could execute them
 *   choose.c    which instructions make a trace
 *   reshape.c   the tool looks at it
 *   emit.c      its code
 *   trace.c     the order of things, and its entry into the cache
 *   dump.c      a trace as text at each stage (--dump-trace) */
#ifndef JIT_JIT_H
#define JIT_JIT_H
#include "arch/arch.h"
#include "engine/cache/trace.h"

/* Why there is no code at an address: what the CPU would have reported. */
struct fetch_fault { addr_t address; int sig, code; bool is_present; };
enum { FETCH_PROTECTION = 0x80 };            /* the code (SI_KERNEL) for an address that no mapping can have */

/* The trace at pc, made if need be. NULL: `fault` says what executing there raises. from: the trace that jumps there, or
 * NULL. Cache lock held. */
struct trace *jit_get(addr_t pc, u32 version, enum entry_kind why, const struct trace *from, struct fetch_fault *fault);

/* A trace of the one instruction at pc that nothing finds or links to: it runs once and is retired already. as_plain: run
 * it as it is, even if it is one that the engine performs otherwise. */
struct trace *jit_once(addr_t pc, bool as_plain, struct fetch_fault *fault);

void jit_link_exits(struct trace *t);               /* to traces that are there. Cache lock held. */

/* ---- between the stages ---- */
/* The straight run of the application's bytes that is at hand: those from pc on. */
extern struct fetch_window { addr_t pc; u32 len; u8 *bytes; } fetch_window;
void fetch_start(bool watch);                       /* forget what was fetched before; watch: later writes are noticed */
const u8 *fetch_at(addr_t pc, u32 *avail, struct fetch_fault *fault);   /* bytes at pc, at least one; NULL: fault */
const u8 *fetch_more(addr_t pc, u32 *avail, struct fetch_fault *fault); /* the same with as many as there can be */
void fetch_correct(addr_t pc, const u8 *bytes, u32 n);                 /* what was fetched last was not the program's own */
bool dump_wants(addr_t pc, const struct insn *list, u32 n);
void dump_insns(const char *stage, const struct insn *list, u32 n);
void dump_calls(const char *stage, const struct insn *list, u32 n);   /* the tool's, as they are asked for now */
void dump_code(const char *stage, struct trace *t, u32 serial);
#endif
