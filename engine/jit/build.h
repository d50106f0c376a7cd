/* build.h: the trace under construction, between the files that make it. Guarded by the cache lock.
 *   choose.c    which instructions it has
 *   reshape.c   the tool looks at it, and what that changes
 *   emit.c      its code
 *   trace.c     the order of things, what it needs, its entry into the cache */
#ifndef JIT_BUILD_H
#define JIT_BUILD_H
#include "engine/cache/map.h"
#include "engine/engine.h"
#include "engine/jit/context.h"
#include "engine/jit/instrument.h"
#include "engine/jit/jit.h"
#include "engine/jit/replace.h"

enum { MAX_EXITS = MAX_INSNS + 2, MAX_PAGES = 64 };
enum { MAP_REACH = 0xffff };               /* map entries have 16 bits for a place in the code */

extern struct build {
    struct insn insn[MAX_INSNS];
    u32 n;
    u32 n_insns;                           /* of the application; the same, unless some were skimmed */
    u32 space;                             /* bytes of code at most, with stubs */
    addr_t fall;                           /* where control goes after the last instruction */
    bool falls;                            /* it does go somewhere */
    struct planned_exit { addr_t target; u32 version; ref_t calls; u8 kind, insn_len; } exit[MAX_EXITS];
    u32 n_exits;
    u32 version;
    u32 exit_version;                      /* of what the instruction being emitted leads to */
    bool has_jumps;                        /* the line is not straight */
    bool has_calls;                        /* a tool asked for something */
    bool has_changes;                      /* ... that changes instructions or where they lead to; calls do not */
    const struct trace *from;              /* jumps here; NULL: none does */
    struct map_entry map[8 * MAX_INSNS + 2];
    struct map_change change[8 * MAX_INSNS + 3];
    u32 n_changes, parked;                 /* what is, at the last of them */
    addr_t pc;
    u8 *code;
    u32 n_map, app_bytes;
    u16 entry[MAX_INSNS];                  /* the map record where each instruction starts */
    addr_t page[MAX_PAGES];
    u32 n_pages;
    struct { u16 call, ret; } leaf[MAX_INSNS / 2];     /* see "short routines" */
    u32 n_leaves;
    u32 serial;                            /* of this trace */
    bool is_once, is_as_plain;             /* see jit_once */
    bool is_foreign;                       /* of code that others may write: a block at a time, and only from there */
    u32 n_refused;                         /* calls that ended their trace after all; a tool with many is not shown any more */
} build;

/* A callee returns to code of its own version: that is not where a trace with a version goes on. */
static inline bool returns_here(u8 kind) { return (kind == INSN_CALL || kind == INSN_CALL_IND) && arch_follows_calls() && !build.version; }

/* Within 32 bits, and so is the page it lies in. */
static inline bool is_near(addr_t pc)
{
    enum { REACH = 0x7fffe000 };
    return pc - build.pc + REACH < 2ul * REACH;
}

/* The caller's context and where it goes on. */
static inline u32 caller_of(addr_t *back) { return context_pop(build.version, back); }

/* A tool is called at each iteration of a repeated instruction: those behind the first are made by the trace that begins there. */
static inline bool is_at_once(u32 i) { return instr_of(i) && instr_of(i)->is_at_once; }
static inline bool is_iterated(u32 i) { return build.has_calls && arch_is_repeated(&build.insn[i]) && !is_at_once(i); }

static inline bool is_moved(u32 i) { return build.has_changes && instr_of(i) && instr_of(i)->is_moved; }
static inline bool is_deleted(u32 i) { return build.has_changes && instr_of(i) && instr_of(i)->is_deleted; }

/* The original of a replaced routine goes on as all code does. */
static inline u32 own_version(void) { return build.version == VERSION_ORIGINAL ? 0 : build.version; }

/* Fills build.insn, with at most `limit` of them. False: not even the first instruction can be had. */
bool build_choose(addr_t pc, u32 limit, struct fetch_fault *fault);
u32 build_limit(void);
u32 build_random(u32 n);                   /* below n (--random-layout) */
struct view build_view(void);
void build_instrument(void);
u32 build_space(void);                     /* at most, with stubs */
void build_emit(struct emit *e, struct exit *exits);
#endif
