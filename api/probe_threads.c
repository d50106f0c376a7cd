/* probe_threads.c: natively running threads are called away to run the tool's functions for threads, and go on where they were.
 *
 *  (1) Not from the tool's own code: it may hold a lock of the tool's libc. Such threads are let go, and looked for again.
 *  (2) `visit` runs in another process, which shares our memory (probe.h): what it needs is there before. */
#include "api/probe.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "probe/probe.h"
#include "arch/probe.h"
#include <stdlib.h>
#include <string.h>

enum { MAX = 4096, TRIES = 200, NAP_US = 5000, WAIT_US = 10000000, SET_MASK = 2, MASK_SIZE = 8 };

struct errand {
    struct native_probe np;
    u8 *room;                           /* a stub for each */
    int *tid;                           /* who has been sent */
    u32 n_sent, n_left;
};
static struct { void (*f)(void); u32 n_done; } now;

static void run_errand(addr_t sp)
{
    now.f();
    __atomic_add_fetch(&now.n_done, 1, __ATOMIC_RELEASE);
}

/* ---- who can be sent ---- */
static bool is_private(addr_t a) { return a >= PRIV_LO && a < PRIV_HI; }

static bool is_tools_code(addr_t a)
{
    u32 n;
    const struct probe_block *b = probe_blocks(&n);
    if (a >= engine_handoff->image_lo && a < engine_handoff->image_hi)
        return true;
    for (u32 i = 0; i < n; i++)
        if (a - b[i].lo < b[i].used)
            return true;
    return false;
}

static bool is_in_tool(const u64 *regs)
{
    addr_t end = probe_mapping_end(regs[ARCH_PTRACE_SP]);
    if (is_tools_code(regs[ARCH_PTRACE_PC]))
        return true;
    for (addr_t at = ROUND_UP(regs[ARCH_PTRACE_SP], 8ul); at < end; at += 8) {
        addr_t word = *(addr_t *)at;
        if (word != (addr_t)arch_native_return && is_tools_code(word))
            return true;
    }
    return false;
}

static bool is_sent(const struct errand *e, int tid)
{
    for (u32 i = 0; i < e->n_sent; i++)
        if (e->tid[i] == tid)
            return true;
    return false;
}

static bool visit(void *arg, int tid, u64 *regs)
{
    struct errand *e = arg;
    if (is_private(regs[ARCH_PTRACE_SP]) || e->n_sent == MAX || is_sent(e, tid))
        return false;                                   /* a thread of the tool's own has its stack there */
    if (is_in_tool(regs) || !arch_native_divert(e->room + e->n_sent * ARCH_STUB_SIZE, &e->np, tid, regs)) {
        e->n_left++;
        return false;
    }
    e->tid[e->n_sent++] = tid;
    return true;
}

/* ---- sending ---- */
static void nap(void)
{
    struct { s64 sec, nsec; } t = { 0, NAP_US * 1000 };
    sys2(__NR_nanosleep, &t, 0);
}

static void send_all(struct errand *e)
{
    for (u32 i = 0; i < TRIES; i++, nap()) {
        e->n_left = 0;
        if (probe_visit_threads(visit, e) || !e->n_left)
            return;
    }
}

/* Stubs stay: nobody knows when the last thread has left its own. */
static void on_each_thread(void (*f)(void))
{
    static struct errand *e;
    now.f = f;
    now.n_done = 0;
    if (!e) {
        e = calloc(1, sizeof *e);
        e->np.uses_vectors = true;
        e->np.before = probe_own_call((AFUNPTR)run_errand);
        e->tid = calloc(MAX, sizeof *e->tid);
    }
    e->room = probe_near((addr_t)run_errand, MAX * ARCH_STUB_SIZE);
    e->n_sent = 0;
    if (!e->room)
        return;
    send_all(e);
    for (u32 waited = 0; __atomic_load_n(&now.n_done, __ATOMIC_ACQUIRE) < e->n_sent && waited < WAIT_US; waited += NAP_US)
        nap();
    if (!is_private((addr_t)__builtin_frame_address(0)))
        f();                                            /* the caller is one of the application's */
}

static void thread_attached(void)
{
    struct { u64 kernels, rest[15]; } set = { 0 }, before;     /* a sigset_t, whose header has names that are Pin's, too */
    sys4(__NR_rt_sigprocmask, SET_MASK, 0, &set, MASK_SIZE);
    before = set;
    FOR_EACH_CALLBACK(c, CB_THREAD_ATTACH_PROBED)
        c->thread_attach_probed(&set, c->val);
    if (memcmp(&set, &before, MASK_SIZE))
        sys4(__NR_rt_sigprocmask, SET_MASK, &set, 0, MASK_SIZE);
}

static void thread_detached(void)
{
    FOR_EACH_CALLBACK(c, CB_THREAD_DETACH_PROBED)
        c->plain(c->val);
}

void probes_tell_attach(void)
{
    if (callbacks[CB_THREAD_ATTACH_PROBED])
        on_each_thread(thread_attached);
}

void probes_tell_detach(void)
{
    if (callbacks[CB_THREAD_DETACH_PROBED])
        on_each_thread(thread_detached);
}

PIN_CALLBACK PIN_AddThreadAttachProbedFunction(THREAD_ATTACH_PROBED_CALLBACK fun, VOID *val)
{
    return callback_add(CB_THREAD_ATTACH_PROBED, fun, val);
}

PIN_CALLBACK PIN_AddThreadDetachProbedFunction(THREAD_DETACH_PROBED_CALLBACK fun, VOID *val)
{
    return callback_add(CB_THREAD_DETACH_PROBED, fun, val);
}
