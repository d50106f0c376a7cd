/* stats.c: --stats. Time is split among the phases of one thread; the sum over threads is printed. */
#include "engine/stats.h"
#include "base/heap.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/log.h"
#include "engine/outfile.h"
#include "engine/thread.h"

struct stats stats;
static __thread enum stats_phase phase;

void stats_family_init(void)
{
    sys6(__NR_mmap, PRIV_SHARED, PRIV_HEAP - PRIV_SHARED, K_PROT_READ | K_PROT_WRITE, K_MAP_SHARED | K_MAP_ANONYMOUS | K_MAP_FIXED_NOREPLACE,
         -1, 0);
}

/* ---- time ---- */
/* In the engine and in the cache a thread runs: time-stamp ticks serve, and cost little. In a system call it may sleep: there
 * the CPU time counts, which the kernel knows. */
enum { CLOCK_MONOTONIC = 1, CLOCK_THREAD_CPU = 3 };
static u64 tick_start, ns_start, syscall_ns;

static u64 clock_ns(int which)
{
    struct { s64 sec, nsec; } t = { 0, 0 };
    sys2(__NR_clock_gettime, which, &t);
    return (u64)t.sec * 1000000000u + (u64)t.nsec;
}

static void time_start(void)
{
    tick_start = clock_ticks();
    ns_start = clock_ns(CLOCK_MONOTONIC);
}

static u64 ns_to_ticks(u64 ns)
{
    enum { SHIFT = 10 };
    u64 passed = clock_ns(CLOCK_MONOTONIC) - ns_start;
    u64 per_ns = passed ? ((clock_ticks() - tick_start) << SHIFT) / passed : 1 << SHIFT;
    return ns * per_ns >> SHIFT;
}

static void note_span(enum stats_phase which, u64 ticks)
{
    __atomic_add_fetch(&stats.ticks[which], ticks, __ATOMIC_RELAXED);
    __atomic_add_fetch(&stats.spans[which], 1, __ATOMIC_RELAXED);
}

/* A trace takes some thousand ticks in six spans, and each holds what one look at the clock takes. */
static u64 clock_cost(void)
{
    enum { LOOKS = 256 };
    u64 start = clock_ticks(), now = start;
    for (u32 i = 0; i < LOOKS; i++)
        now = clock_ticks();
    return (now - start) / LOOKS;
}

static u64 per_look;                             /* that; known when there is something to report */
static u64 time_in(enum stats_phase p)
{
    return p == PHASE_SYSCALL ? ns_to_ticks(syscall_ns) : stats.ticks[p] - MIN(stats.ticks[p], stats.spans[p] * per_look);
}

enum stats_phase stats_change(enum stats_phase to)
{
    enum stats_phase from = phase;
    struct thread *t = &thr_self;
    u64 now = clock_ticks();
    if (!tick_start)
        time_start();
    if (t->tick_from && phase == PHASE_SYSCALL)
        __atomic_add_fetch(&syscall_ns, clock_ns(CLOCK_THREAD_CPU) - t->cpu_from, __ATOMIC_RELAXED);
    else if (t->tick_from)
        note_span(phase, now - t->tick_from);
    if (to == PHASE_SYSCALL)
        t->cpu_from = clock_ns(CLOCK_THREAD_CPU);
    t->tick_from = clock_ticks();
    phase = to;
    return from;
}

/* ---- indirect branches ---- */
void stats_thread_ends(const struct thread *t)
{
    for (u32 i = 0; i < N_BRANCHES; i++)
        __atomic_add_fetch(&stats.branches[i], t->arch.branches[i], __ATOMIC_RELAXED);
    for (u32 i = 0; i < N_FOUND; i++)
        __atomic_add_fetch(&stats.found[i], t->arch.found[i], __ATOMIC_RELAXED);
}

static u64 branches(u32 kind)
{
    u64 n = stats.branches[kind];
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        n += t->arch.branches[kind];
    lock_drop(thr_lock());
    return n;
}

static u64 found(u32 how)
{
    u64 n = stats.found[how];
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        n += t->arch.found[how];
    lock_drop(thr_lock());
    return n;
}

/* By the tables, or the hash, that all share. */
static u64 found_shared(void)
{
    u64 n = 0, other = stats.indirect_misses;
    for (u32 i = 0; i < N_BRANCHES; i++)
        n += branches(i);
    for (u32 i = 0; i < N_FOUND; i++)
        other += found(i);
    return n - MIN(n, other);
}

static void line(int fd, const char *name, u64 v) { ct_print(fd, "  %-28s %14lu\n", name, v); }

static u64 permille(u64 part, u64 whole) { return whole ? part * 1000 / whole : 0; }

static void hit_rate(int fd, const char *what, u64 made, u64 missed)
{
    u64 p = made ? (made - MIN(made, missed)) * 100000 / made : 0;
    if (made)
        ct_print(fd, "  found: %-20s %11lu.%03lu %%\n", what, p / 1000, p % 1000);
}

/* What the goals are about. */
static void costs(int fd, const struct cache_sizes *c, u64 distinct)
{
    u64 jit = time_in(PHASE_DECODE) + time_in(PHASE_REGALLOC) + time_in(PHASE_EMIT);
    u64 bytes = c->app ? (c->body + c->stubs + c->pieces) * 100 / c->app : 0;
    line(fd, "ticks to translate each", distinct ? jit / distinct : 0);
    ct_print(fd, "  %-28s %11lu.%02lu\n", "cache bytes per byte covered", bytes / 100, bytes % 100);
}

static void report_text(int fd, const struct cache_sizes *c, u64 total, u64 distinct)
{
    static const char *names[] = { "code cache", "JIT: decode", "JIT: instrument", "JIT: registers", "JIT: emit", "VM",
                                   "system calls" };
    ct_print(fd, "cotter: statistics of process %d\n", sys_getpid());
    for (u32 i = 0; i < N_PHASES; i++) {
        u64 p = permille(time_in(i), total);
        ct_print(fd, "  time in %-20s %12lu.%lu %%\n", names[i], p / 10, p % 10);
    }
#define STAT(name, text, value) line(fd, text, value);
#include "engine/stats.def"
#undef STAT
    costs(fd, c, distinct);
    hit_rate(fd, "indirect jumps", branches(BRANCH_JUMP), stats.misses[BRANCH_JUMP]);
    hit_rate(fd, "indirect calls", branches(BRANCH_CALL), stats.misses[BRANCH_CALL]);
    hit_rate(fd, "returns", branches(BRANCH_RETURN), stats.misses[BRANCH_RETURN]);
}

static void report_json(int fd, const struct cache_sizes *c, u64 total, u64 distinct)
{
    static const char *names[] = { "cache", "decode", "instrument", "regalloc", "emit", "vm", "syscall" };
    ct_print(fd, "{\"pid\": %d, \"ticks\": {", sys_getpid());
    for (u32 i = 0; i < N_PHASES; i++)
        ct_print(fd, "%s\"%s\": %lu", i ? ", " : "", names[i], time_in(i));
    ct_print(fd, "}");
#define STAT(name, text, value) ct_print(fd, ", \"" #name "\": %lu", (u64)(value));
#include "engine/stats.def"
#undef STAT
    ct_print(fd, "}\n");
}

void stats_report(void)
{
    struct cache_sizes c;
    u64 total = 0;
    int fd = log_stats();
    cache_lock_take();
    stats_phase(PHASE_VM);
    per_look = clock_cost();
    cache_measure(&c);
    u64 distinct = cache_distinct();
    for (u32 i = 0; i < N_PHASES; i++)
        total += time_in(i);
    print_error = 0;
    if (opt->stats == STATS_JSON)
        report_json(fd, &c, total, distinct);
    else
        report_text(fd, &c, total, distinct);
    if (print_error && opt->stats_file[0])
        ct_print(log_stderr(), "cotter: the statistics are not complete: %s\n", outfile_why(print_error));
    cache_lock_drop();
}
