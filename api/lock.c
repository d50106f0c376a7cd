/* lock.c: locks of the tool, on futexes; no libc, so that they work on any thread at any time. */
#include "api/api.h"
#include "base/sys.h"
#include <time.h>

enum { WAIT = 128, WAKE = 129 };                /* FUTEX_WAIT_PRIVATE, FUTEX_WAKE_PRIVATE */

static bool wait_while(volatile INT32 *word, INT32 value, const struct timespec *limit)
{
    return sys4(__NR_futex, word, WAIT, value, limit) != -110;      /* ETIMEDOUT */
}

static void wake(volatile INT32 *word, u32 n) { sys3(__NR_futex, word, WAKE, n); }

/* ---- mutex: 0 free, 1 held, 2 held and somebody waits ---- */
static bool try_take(volatile INT32 *w)
{
    INT32 free = 0;
    return __atomic_compare_exchange_n(w, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void take(volatile INT32 *w)
{
    if (try_take(w))
        return;
    while (__atomic_exchange_n(w, 2, __ATOMIC_ACQUIRE))
        wait_while(w, 2, NULL);
}

static void drop(volatile INT32 *w)
{
    if (__atomic_exchange_n(w, 0, __ATOMIC_RELEASE) == 2)
        wake(w, 1);
}

VOID PIN_LockClient(VOID) { client_lock(); }
VOID PIN_UnlockClient(VOID) { client_unlock(); }

/* ---- PIN_LOCK, PIN_MUTEX ---- */
VOID PIN_InitLock(PIN_LOCK *l) { l->_word = l->_owner = 0; }

VOID PIN_GetLock(PIN_LOCK *l, INT32 val)
{
    take(&l->_word);
    l->_owner = val;
}

INT32 PIN_ReleaseLock(PIN_LOCK *l)
{
    INT32 owner = l->_owner;
    l->_owner = 0;
    drop(&l->_word);
    return owner;
}

BOOL PIN_MutexInit(PIN_MUTEX *l) { return l->_word = 0, TRUE; }
VOID PIN_MutexFini(PIN_MUTEX *l) { l->_word = 0; }
VOID PIN_MutexLock(PIN_MUTEX *l) { take(&l->_word); }
VOID PIN_MutexUnlock(PIN_MUTEX *l) { drop(&l->_word); }
BOOL PIN_MutexTryLock(PIN_MUTEX *l) { return try_take(&l->_word); }

/* ---- PIN_RWMUTEX: _state is the number of readers, or -1; guarded by _word; changes wake all who wait on _writers' twin ---- */
BOOL PIN_RWMutexInit(PIN_RWMUTEX *l) { return l->_word = l->_state = l->_writers = 0, TRUE; }
VOID PIN_RWMutexFini(PIN_RWMUTEX *l) { PIN_RWMutexInit(l); }

static bool try_read(PIN_RWMUTEX *l)
{
    take(&l->_word);
    bool ok = l->_state >= 0 && !l->_writers;
    l->_state += ok;
    drop(&l->_word);
    return ok;
}

static bool try_write(PIN_RWMUTEX *l)
{
    take(&l->_word);
    bool ok = l->_state == 0;
    if (ok)
        l->_state = -1;
    drop(&l->_word);
    return ok;
}

VOID PIN_RWMutexReadLock(PIN_RWMUTEX *l)
{
    for (;;) {
        INT32 seen = l->_state;
        if (try_read(l))
            return;
        struct timespec soon = { 0, 1000000 };         /* a writer that only waits leaves _state as it is */
        wait_while(&l->_state, seen, &soon);
    }
}

VOID PIN_RWMutexWriteLock(PIN_RWMUTEX *l)
{
    __atomic_add_fetch(&l->_writers, 1, __ATOMIC_ACQ_REL);
    for (;;) {
        INT32 seen = l->_state;
        if (try_write(l))
            break;
        if (seen)
            wait_while(&l->_state, seen, NULL);
    }
    __atomic_sub_fetch(&l->_writers, 1, __ATOMIC_ACQ_REL);
}

VOID PIN_RWMutexUnlock(PIN_RWMUTEX *l)
{
    take(&l->_word);
    l->_state = l->_state > 0 ? l->_state - 1 : 0;
    drop(&l->_word);
    wake(&l->_state, 1u << 30);
}

BOOL PIN_RWMutexTryReadLock(PIN_RWMUTEX *l) { return try_read(l); }
BOOL PIN_RWMutexTryWriteLock(PIN_RWMUTEX *l) { return try_write(l); }

/* ---- PIN_SEMAPHORE ---- */
BOOL PIN_SemaphoreInit(PIN_SEMAPHORE *s) { return s->_set = 0, TRUE; }
VOID PIN_SemaphoreFini(PIN_SEMAPHORE *s) { s->_set = 0; }
VOID PIN_SemaphoreClear(PIN_SEMAPHORE *s) { __atomic_store_n(&s->_set, 0, __ATOMIC_RELEASE); }
BOOL PIN_SemaphoreIsSet(PIN_SEMAPHORE *s) { return __atomic_load_n(&s->_set, __ATOMIC_ACQUIRE); }

VOID PIN_SemaphoreSet(PIN_SEMAPHORE *s)
{
    __atomic_store_n(&s->_set, 1, __ATOMIC_RELEASE);
    wake(&s->_set, 1u << 30);
}

VOID PIN_SemaphoreWait(PIN_SEMAPHORE *s)
{
    while (!PIN_SemaphoreIsSet(s))
        wait_while(&s->_set, 0, NULL);
}

BOOL PIN_SemaphoreTimedWait(PIN_SEMAPHORE *s, unsigned ms)
{
    struct timespec limit = { ms / 1000, (long)(ms % 1000) * 1000000 };
    if (!PIN_SemaphoreIsSet(s))
        wait_while(&s->_set, 0, &limit);
    return PIN_SemaphoreIsSet(s);
}
