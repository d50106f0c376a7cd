/* lock.h: locks for tools. The client lock serialises callbacks and is needed around calls about images and routines from
 * analysis code. The others are the tool's own. */
#ifndef COTTER_LOCK_H
#define COTTER_LOCK_H

VOID PIN_LockClient(VOID);                      /* counted: the same thread may take it again */
VOID PIN_UnlockClient(VOID);

/* A lock that remembers a number given by its owner, by custom the thread id + 1. */
typedef struct __attribute__((aligned(64))) PIN_LOCK { volatile INT32 _word; volatile INT32 _owner; } PIN_LOCK;
VOID PIN_InitLock(PIN_LOCK *lock);
VOID PIN_GetLock(PIN_LOCK *lock, INT32 val);
INT32 PIN_ReleaseLock(PIN_LOCK *lock);          /* the number */

typedef struct __attribute__((aligned(64))) PIN_MUTEX { volatile INT32 _word; } PIN_MUTEX;
BOOL PIN_MutexInit(PIN_MUTEX *lock);
VOID PIN_MutexFini(PIN_MUTEX *lock);
VOID PIN_MutexLock(PIN_MUTEX *lock);
VOID PIN_MutexUnlock(PIN_MUTEX *lock);
BOOL PIN_MutexTryLock(PIN_MUTEX *lock);

/* Many readers or one writer; a waiting writer keeps new readers out. */
typedef struct __attribute__((aligned(64))) PIN_RWMUTEX { volatile INT32 _word, _state, _writers; } PIN_RWMUTEX;
BOOL PIN_RWMutexInit(PIN_RWMUTEX *lock);
VOID PIN_RWMutexFini(PIN_RWMUTEX *lock);
VOID PIN_RWMutexReadLock(PIN_RWMUTEX *lock);
VOID PIN_RWMutexWriteLock(PIN_RWMUTEX *lock);
VOID PIN_RWMutexUnlock(PIN_RWMUTEX *lock);
BOOL PIN_RWMutexTryReadLock(PIN_RWMUTEX *lock);
BOOL PIN_RWMutexTryWriteLock(PIN_RWMUTEX *lock);

/* An event that is set or clear. Waiting is for internal threads: an application thread must not wait long. */
typedef struct __attribute__((aligned(64))) PIN_SEMAPHORE { volatile INT32 _set; } PIN_SEMAPHORE;
BOOL PIN_SemaphoreInit(PIN_SEMAPHORE *sem);
VOID PIN_SemaphoreFini(PIN_SEMAPHORE *sem);
VOID PIN_SemaphoreSet(PIN_SEMAPHORE *sem);
VOID PIN_SemaphoreClear(PIN_SEMAPHORE *sem);
BOOL PIN_SemaphoreIsSet(PIN_SEMAPHORE *sem);
VOID PIN_SemaphoreWait(PIN_SEMAPHORE *sem);
BOOL PIN_SemaphoreTimedWait(PIN_SEMAPHORE *sem, unsigned timeout);      /* milliseconds; TRUE: it is set */
#endif
