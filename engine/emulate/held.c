/* held.c: see held.h.
 *  (1) A place for a signal of the process is empty, in use by one thread, or full. It changes by one atomic operation, so
 *      that the signal handler may fill it; a second signal of its kind is lost then, as in the kernel.
 *  (2) Who is about to wait says so in `lent` before it looks into the places; who fills one looks at `lent` afterwards. */
#include "engine/emulate/held.h"
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/signal.h"

enum { EMPTY, IN_USE, FULL };
static const u8 owned[N_OWNED] = { K_SIGILL, K_SIGTRAP, K_SIGBUS, K_SIGFPE, K_SIGSEGV };

static u32 place_of(u32 sig)
{
    u32 i = 0;
    while (owned[i] != sig)
        i++;
    return i;
}

/* ---- of the process ---- */
static bool change(u32 *state, u32 from, u32 to)
{
    return __atomic_compare_exchange_n(state, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void fill(struct held_place *p, const struct k_siginfo *info)
{
    if (!change(&p->state, EMPTY, IN_USE))
        return;
    p->info = *info;
    __atomic_store_n(&p->state, FULL, __ATOMIC_SEQ_CST);
}

static bool empty(struct held_place *p, struct k_siginfo *info)
{
    if (!change(&p->state, FULL, IN_USE))
        return false;
    *info = p->info;
    __atomic_store_n(&p->state, EMPTY, __ATOMIC_SEQ_CST);
    return true;
}

static bool take_of_process(struct process *p, u64 set, struct k_siginfo *info)
{
    for (u32 i = 0; i < N_OWNED; i++)
        if (set & bit(owned[i]) && empty(&p->held[i], info))
            return true;
    return false;
}

/* ---- of a thread ---- */
static bool is_for_process(u32 sig, const struct k_siginfo *info)
{
    enum { SI_TKILL = -6 };
    return is_owned(sig) && info->code != SI_TKILL;
}

void held_add(struct thread *t, u32 sig, const struct k_siginfo *info)
{
    if (is_for_process(sig, info)) {
        fill(&t->proc->held[place_of(sig)], info);
        t->is_sharing = true;
        return;
    }
    if (t->held & bit(sig))
        return;
    t->held |= bit(sig);
    if (is_owned(sig))
        t->held_info[place_of(sig)] = *info;
}

bool held_take(struct thread *t, u64 set, struct k_siginfo *info)
{
    if (!(t->held & set))
        return false;
    u32 sig = (u32)__builtin_ctzll(t->held & set) + 1;
    __atomic_and_fetch(&t->held, ~bit(sig), __ATOMIC_RELAXED);      /* the handler may add to it meanwhile */
    *info = is_owned(sig) ? t->held_info[place_of(sig)] : (struct k_siginfo){ .signo = (s32)sig };
    return true;
}

bool held_take_any(struct thread *t, u64 set, struct k_siginfo *info)
{
    return held_take(t, set, info) || take_of_process(t->proc, set, info);
}

bool held_release(struct thread *t, u64 mask)
{
    struct k_siginfo info;
    if (t->pend.sig || !held_take_any(t, ~mask, &info))
        return false;
    t->pend = (struct pending){ .sig = (u32)info.signo, .info = info };
    t->arch.pending = 1;
    return true;
}

void held_discard(struct thread *t, u32 sig)
{
    struct k_siginfo info;
    while (held_take_any(t, bit(sig), &info))
        ;
}

/* ---- whoever wants it ---- */
static void send(int tid, struct k_siginfo *info) { sys4(__NR_rt_tgsigqueueinfo, sys_getpid(), tid, info->signo, info); }

/* Calls that ask for signals, or may be waiting for a descriptor that tells of them. */
static bool has_signalfd;

long sys_signalfd(struct thread *t, struct syscall_args *a)
{
    has_signalfd = true;
    return SYS_PASS;
}

static bool may_wait_for_signals(long nr)
{
    switch (nr) {
    case __NR_rt_sigtimedwait: case __NR_rt_sigpending: return true;
    case __NR_read: case __NR_readv: case __NR_poll: case __NR_ppoll: case __NR_select: case __NR_pselect6:
    case __NR_epoll_wait: case __NR_epoll_pwait: case __NR_epoll_pwait2: case __NR_io_getevents: case __NR_io_pgetevents:
    case __NR_io_uring_enter: return has_signalfd;
    default: return false;
    }
}

static int who_wants(struct thread *me, u64 b)
{
    int waiting = 0, free = 0;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t && !free; t = t->next) {
        if (t == me || t->proc != me->proc || !t->tid)
            continue;
        if (!(t->app_mask & b))
            free = t->tid;
        else if (__atomic_load_n(&t->lent, __ATOMIC_SEQ_CST) & b && may_wait_for_signals(t->call))
            waiting = t->tid;
    }
    lock_drop(thr_lock());
    return free ? free : waiting;
}

void held_share(struct thread *t)
{
    struct k_siginfo info;
    if (!t->is_sharing)
        return;
    t->is_sharing = false;
    for (u32 i = 0; i < N_OWNED; i++) {
        int tid = t->proc->held[i].state == FULL && t->app_mask & bit(owned[i]) ? who_wants(t, bit(owned[i])) : 0;
        if (tid && empty(&t->proc->held[i], &info))
            send(tid, &info);
    }
}

u64 held_lend(struct thread *t, long nr)
{
    u64 set = t->app_mask & OWNED & ~t->unblocked;
    struct k_siginfo info;
    if (!set || !may_wait_for_signals(nr))
        return 0;
    t->call = nr;
    __atomic_store_n(&t->lent, set, __ATOMIC_SEQ_CST);
    sys4(__NR_rt_sigprocmask, K_SIG_BLOCK, &set, 0, 8);
    while (held_take_any(t, set, &info))
        send(sys_gettid(), &info);
    return set;
}

void held_lend_end(struct thread *t, u64 lent)
{
    if (!lent)
        return;
    __atomic_store_n(&t->lent, 0, __ATOMIC_SEQ_CST);
    sys4(__NR_rt_sigprocmask, K_SIG_UNBLOCK, &lent, 0, 8);
}
