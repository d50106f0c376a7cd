/* lock.c: see lock.h.
 *  (1) The word changes hands by one atomic instruction, so the owner is known whenever it is not free.
 *  (2) Whoever may have to wake others keeps the lock's address in `concern` until he has: a killed vfork child leaves
 *      that to the thread whose memory it used. */
#include "base/lock.h"
#include "base/sys.h"

enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };

static __thread u32 self;                   /* kernel's id; 0: not asked for yet */
static __thread struct lock *concern;

static u32 my_name(void)
{
    if (UNLIKELY(!self))
        self = (u32)sys_gettid();
    return self;
}

static bool exchange(struct lock *l, u32 *from, u32 to)
{
    return __atomic_compare_exchange_n(&l->word, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static bool take_at_once(struct lock *l, u32 name)
{
    u32 free = 0;
    return LIKELY(exchange(l, &free, name));
}

/* Who has waited takes it as waited for: others may still wait. */
static void take_waiting(struct lock *l, u32 name)
{
    u32 now = 0;
    while (!exchange(l, &now, name | (u32)LOCK_WAITED)) {
        if (now & (u32)LOCK_WAITED || exchange(l, &now, now | (u32)LOCK_WAITED))
            sys4(__NR_futex, &l->word, FUTEX_WAIT_PRIVATE, now | (u32)LOCK_WAITED, 0);
        now = 0;
    }
}

static void drop_waking(struct lock *l)
{
    __atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
    sys3(__NR_futex, &l->word, FUTEX_WAKE_PRIVATE, 1);
}

void lock_take(struct lock *l)
{
    u32 name = my_name();
    if (take_at_once(l, name))
        return;
    __atomic_store_n(&concern, l, __ATOMIC_RELEASE);
    take_waiting(l, name);
    __atomic_store_n(&concern, NULL, __ATOMIC_RELEASE);
}

void lock_drop(struct lock *l)
{
    u32 name = my_name();
    if (LIKELY(exchange(l, &name, 0)))
        return;
    __atomic_store_n(&concern, l, __ATOMIC_RELEASE);
    drop_waking(l);
    __atomic_store_n(&concern, NULL, __ATOMIC_RELEASE);
}

void lock_take_early(struct lock *l)
{
    if (!take_at_once(l, LOCK_NAMELESS))
        take_waiting(l, LOCK_NAMELESS);
}

void lock_drop_early(struct lock *l)
{
    u32 name = LOCK_NAMELESS;
    if (!exchange(l, &name, 0))
        drop_waking(l);
}

void lock_new_owner(u32 tid) { self = tid; }

bool lock_died_with(const struct lock *l, u32 tid)
{
    return (__atomic_load_n(&l->word, __ATOMIC_ACQUIRE) & ~(u32)LOCK_WAITED) == tid;
}

void lock_inherit(struct lock *l) { __atomic_store_n(&l->word, my_name() | (u32)LOCK_WAITED, __ATOMIC_RELEASE); }

void lock_wake_for(void)
{
    struct lock *l = concern;
    concern = NULL;
    if (l)
        sys3(__NR_futex, &l->word, FUTEX_WAKE_PRIVATE, 0x7fffffff);
}
