/* lock.c: see lock.h. */
#include "base/lock.h"
#include "base/sys.h"

enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };

void lock_take(struct lock *l)
{
    u32 free = 0;
    if (__atomic_compare_exchange_n(&l->word, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(&l->word, 2, __ATOMIC_ACQUIRE) != 0)
        sys4(__NR_futex, &l->word, FUTEX_WAIT_PRIVATE, 2, 0);
}

void lock_drop(struct lock *l)
{
    if (__atomic_exchange_n(&l->word, 0, __ATOMIC_RELEASE) == 2)
        sys3(__NR_futex, &l->word, FUTEX_WAKE_PRIVATE, 1);
}
