/* stop.c: see stop.h.
 *
 *  (1) A thread is at rest while `is_safe` is set: in the kernel on behalf of the application, or waiting here.
 *  (2) It sets `is_safe` before it looks at `owner`, the stopper sets `owner` before it looks at `is_safe`: one of the two
 *      sees the other. So a thread that was seen at rest stays there.
 *  (3) A thread that is not at rest gets a signal, which brings it to the dispatcher (handler.c), and so to stop_point. */
#include "engine/emulate/stop.h"
#include "base/sys.h"

enum { FUTEX_WAIT = 128, FUTEX_WAKE = 129, PATIENCE_MS = 3000, VFORK_PATIENCE_MS = 50 };
#define MAGIC 0x436f7474657253ul

static u32 owner;                                   /* kernel thread id of the stopper; 0: none */
static bool waits_for_vforks;

void stop_forked(void) { owner = 0; }
void stop_take_over(u32 dead)
{
    if (__atomic_compare_exchange_n(&owner, &dead, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        sys3(__NR_futex, &owner, FUTEX_WAKE, 0x7fffffff);
}
void stop_wait_for_vforks(void) { waits_for_vforks = true; }

/* A vfork child in its parent's place, which has to get on before the parent can rest. */
static bool is_spared(const struct thread *t) { return waits_for_vforks && t->vfork; }

bool stop_holds(struct thread *t)
{
    u32 who = __atomic_load_n(&owner, __ATOMIC_SEQ_CST);
    return who && who != (u32)t->tid && !is_spared(t) && !__atomic_load_n(&t->runs_alone, __ATOMIC_SEQ_CST);
}

/* The stopper may have gone, if it was a process of its own: to another program, or killed. */
static void wait_for_end(struct thread *t)
{
    static const struct { s64 sec, nsec; } look_every = { 0, 200000000 };
    u32 who;
    while ((who = __atomic_load_n(&owner, __ATOMIC_SEQ_CST)) && who != (u32)t->tid && !__atomic_load_n(&t->runs_alone, __ATOMIC_SEQ_CST))
        if (sys4(__NR_futex, &owner, FUTEX_WAIT, who, &look_every) == -E_TIMEDOUT && !thr_shares_memory((int)who))
            stop_take_over(who);
}

void stop_spare(struct thread *t, bool yes)
{
    __atomic_store_n(&t->runs_alone, yes, __ATOMIC_SEQ_CST);
    if (yes)
        sys3(__NR_futex, &owner, FUTEX_WAKE, 0x7fffffff);
}

void stop_safe_begin(struct thread *t)
{
    for (;;) {
        __atomic_store_n(&t->is_safe, true, __ATOMIC_SEQ_CST);
        if (!stop_holds(t))
            return;
        wait_for_end(t);
    }
}

void stop_safe_end(struct thread *t)
{
    for (;;) {
        __atomic_store_n(&t->is_safe, false, __ATOMIC_SEQ_CST);
        if (!stop_holds(t))
            return;
        __atomic_store_n(&t->is_safe, true, __ATOMIC_SEQ_CST);
        wait_for_end(t);
    }
}

/* The registers are stored, the vector registers are put beside them, so that the stopper can read and change all. */
void stop_point(struct thread *t)
{
    struct arch_context c;
    arch_context_get(&c, t, false);
    arch_context_copy(&c, &c);
    t->stopped = &c;
    __atomic_store_n(&t->is_safe, true, __ATOMIC_SEQ_CST);
    wait_for_end(t);
    stop_safe_end(t);
    t->stopped = NULL;
    arch_context_put(t, &c);
}

/* ---- the stopper's side ---- */
void stop_call(struct thread *t)
{
    struct k_siginfo info = { .signo = K_SIGTRAP, .code = -1 };     /* SI_QUEUE */
    info.pid = sys_getpid();
    *(u64 *)(info.rest + 8) = MAGIC;
    sys4(__NR_rt_tgsigqueueinfo, sys_getpid(), t->tid, K_SIGTRAP, &info);
}

bool stop_is_call(int sig, const struct k_siginfo *info)
{
    return sig == K_SIGTRAP && info->code == -1 && *(const u64 *)(info->rest + 8) == MAGIC;
}

static bool is_at_rest(struct thread *t) { return __atomic_load_n(&t->is_safe, __ATOMIC_SEQ_CST) && !is_spared(t); }

/* How many are not at rest yet; those not called so far are called. `spared`: how many of them need not be. */
static u32 count_running(struct thread *me, bool and_call, u32 *spared)
{
    u32 n = 0;
    *spared = 0;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        if (t != me && !is_at_rest(t)) {
            n++;
            *spared += is_spared(t);
            if (and_call && t->tid && !is_spared(t))
                stop_call(t);
        }
    lock_drop(thr_lock());
    return n;
}

static void nap(void)
{
    struct { s64 sec, nsec; } t = { 0, 200000 };
    sys2(__NR_nanosleep, &t, 0);
}

bool stop_others(struct thread *me)
{
    u32 none = 0;
    if (!__atomic_compare_exchange_n(&owner, &none, (u32)me->tid, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && none != (u32)me->tid)
        return false;
    u32 round = 0, left, spared;
    /* What a vfork child does next may take one of those that are stopped here. */
    while ((left = count_running(me, round % 50 == 0, &spared)) && round++ < (left > spared ? PATIENCE_MS : VFORK_PATIENCE_MS) * 5)
        nap();
    return left == 0;
}

void stop_resume(struct thread *me)
{
    u32 mine = (u32)me->tid;
    if (__atomic_compare_exchange_n(&owner, &mine, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        sys3(__NR_futex, &owner, FUTEX_WAKE, 0x7fffffff);
}
