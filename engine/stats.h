/* stats.h: counters of the engine, printed by --stats. Written under the cache lock unless marked otherwise. */
#ifndef ENGINE_STATS_H
#define ENGINE_STATS_H
#include "base/types.h"
#include "engine/engine.h"

/* INSTRUMENT: the tool's callbacks, and where its calls go. REGALLOC: which registers and flags are free, and who has r11. */
enum stats_phase { PHASE_CACHE, PHASE_DECODE, PHASE_INSTRUMENT, PHASE_REGALLOC, PHASE_EMIT, PHASE_VM, PHASE_SYSCALL, N_PHASES };

extern struct stats {
    u64 traces, insns, app_bytes, exits, learnt;
    u64 links, unlinks, flushes, invalidated;
    u64 dispatches, indirect_misses, direct_misses;   /* approximate with several threads */
    u64 syscalls, signals, emulated, smc_faults, checked;
    u64 threads;
    u64 branches[3], misses[3];              /* indirect branches by kind: made by threads that have ended; not found */
    u64 found[4];                            /* by how the target was found: by threads that have ended */
    u64 ticks[N_PHASES], spans[N_PHASES];    /* and how many stretches of time that was in */
} stats;

/* Counted by a process and its forked children together, in memory that they share. */
struct family {
    u64 followed, not_followed;
    u32 has_told;                            /* of a program that cannot be followed */
    u32 n_notes;                             /* jit/lessons.c; they begin on the next page */
};
#define family ((struct family *)PRIV_SHARED)
void stats_family_init(void);

enum stats_phase stats_change(enum stats_phase to);
/* The calling thread changes over; from what. Nothing unless --stats. */
static inline enum stats_phase stats_phase(enum stats_phase to) { return opt->stats ? stats_change(to) : to; }
struct thread;
void stats_thread_ends(const struct thread *t);
void stats_report(void);
#endif
