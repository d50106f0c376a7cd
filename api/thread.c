/* thread.c: application threads: callbacks, identity, data per thread.
 *
 *  (1) Thread callbacks are serialised by the client lock.
 *  (2) Slots are reached by thread number from any thread. Data without a destructor outlives its thread until the number is given
 *      again: tools sum up what their threads counted when the program has ended. */
#include "api/buffer.h"
#include "api/image.h"
#include "base/sys.h"
#include <stdlib.h>
#include <string.h>

enum { N_KEYS = 64 };

struct slot {
    struct thread *thread;              /* NULL: free, or a thread of the tool's own */
    PIN_THREAD_UID uid;
    OS_THREAD_ID parent;
    VOID *data[N_KEYS];
};
static struct slot *slots[PIN_MAX_THREADS];
static struct { bool is_used, is_deleted; DESTRUCTFUN destructor; } keys[N_KEYS];
static PIN_THREAD_UID next_uid;

/* Made when first used, by whoever comes first. */
static struct slot *slot_of(THREADID tid)
{
    if (tid >= PIN_MAX_THREADS)
        return NULL;
    struct slot *s = __atomic_load_n(&slots[tid], __ATOMIC_ACQUIRE), *expected = NULL;
    if (s)
        return s;
    s = calloc(1, sizeof *s);
    if (__atomic_compare_exchange_n(&slots[tid], &expected, s, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return s;
    free(s);
    return expected;
}

/* ---- identity ---- */
THREADID PIN_ThreadId(VOID) { return internal_id() != INVALID_THREADID ? internal_id() : thr_self.index; }
BOOL PIN_IsApplicationThread(VOID) { return internal_id() == INVALID_THREADID; }
PIN_THREAD_UID PIN_ThreadUid(VOID) { return slot_of(PIN_ThreadId())->uid; }
OS_THREAD_ID PIN_GetParentTid(VOID) { return slot_of(PIN_ThreadId())->parent; }
OS_THREAD_ID PIN_GetTid(VOID) { return (OS_THREAD_ID)sys_gettid(); }
INT PIN_GetPid(VOID) { return sys_getpid(); }
VOID PIN_Yield(VOID) { sys0(__NR_sched_yield); }

VOID PIN_Sleep(UINT32 ms)
{
    struct { s64 sec, nsec; } wait = { ms / 1000, (s64)(ms % 1000) * 1000000 };
    sys2(__NR_nanosleep, &wait, 0);
}

static void clear_data(struct slot *s)
{
    for (u32 k = 0; k < N_KEYS; k++)
        s->data[k] = NULL;
}

/* ---- callbacks ---- */
static void begin(struct thread *t, bool was_there)
{
    struct slot *s = slot_of(t->index);
    client_lock();
    clear_data(s);
    s->thread = t;
    s->uid = next_uid++;
    s->parent = t->parent_tid;
    buffers_begin(t);
    CONTEXT c;
    if (callbacks[CB_THREAD_START] || (was_there && callbacks[CB_THREAD_ATTACH])) {
        context_take(&c, t, false);
        if (was_there)
            FOR_EACH_CALLBACK(k, CB_THREAD_ATTACH)
                k->thread_attach(t->index, &c, k->val);
        FOR_EACH_CALLBACK(k, CB_THREAD_START)
            k->thread_start(t->index, &c, (INT32)t->clone_flags, k->val);
        context_give(&c, t);
    }
    client_unlock();
}

void thread_begins(struct thread *t) { begin(t, false); }

/* The first one also does what belongs to the start of the program but needs a thread of it. */
void thread_attaches(struct thread *t)
{
    static u32 is_later;
    if (!__atomic_exchange_n(&is_later, 1, __ATOMIC_ACQ_REL)) {
        signals_start(t);
        images_again();
    }
    begin(t, true);
}

/* A thread in the kernel has its registers where the dispatcher left them. */
void thread_all_detach(void)
{
    if (!callbacks[CB_THREAD_DETACH])
        return;
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++) {
        struct thread *t = thread_by_id(i);
        CONTEXT c;
        if (!t)
            continue;
        context_take(&c, t, true);
        FOR_EACH_CALLBACK(k, CB_THREAD_DETACH)
            k->thread_detach(i, t->stopped ? (CONTEXT *)t->stopped : &c, k->val);
    }
}

static void destroy_data(struct slot *s)
{
    for (u32 k = 0; k < N_KEYS; k++) {
        VOID *d = s->data[k];
        if (!d || !keys[k].is_used || !keys[k].destructor)
            continue;                               /* (2) */
        s->data[k] = NULL;
        keys[k].destructor(d);
    }
}

void thread_ends(struct thread *t, int status)
{
    struct slot *s = slot_of(t->index);
    client_lock();
    if (s->thread != t) {                           /* its end has been told already */
        client_unlock();
        return;
    }
    CONTEXT c;
    context_take(&c, t, true);
    buffers_end(t, &c);
    if (callbacks[CB_THREAD_FINI]) {
        FOR_EACH_CALLBACK(k, CB_THREAD_FINI)
            k->thread_fini(t->index, &c, status, k->val);
    }
    destroy_data(s);
    s->thread = NULL;
    client_unlock();
}

/* Threads of the tool's own have numbers and data too. */
PIN_THREAD_UID thread_adopt(THREADID tid)
{
    struct slot *s = slot_of(tid);
    client_lock();
    clear_data(s);
    PIN_THREAD_UID uid = s->uid = next_uid++;
    client_unlock();
    return uid;
}

void thread_disown(THREADID tid) { destroy_data(slot_of(tid)); }

struct thread *thread_by_id(THREADID tid) { return tid < PIN_MAX_THREADS && slots[tid] ? slots[tid]->thread : NULL; }

void thread_all_end(int status)
{
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (slots[i] && slots[i]->thread)
            thread_ends(slots[i]->thread, status);
}

void thread_only_survivor(struct thread *t)
{
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (slots[i] && i != t->index)
            slots[i]->thread = NULL;
}

PIN_CALLBACK PIN_AddThreadAttachFunction(THREAD_ATTACH_CALLBACK f, VOID *v) { return callback_add(CB_THREAD_ATTACH, f, v); }
PIN_CALLBACK PIN_AddThreadDetachFunction(THREAD_DETACH_CALLBACK f, VOID *v) { return callback_add(CB_THREAD_DETACH, f, v); }
PIN_CALLBACK PIN_AddThreadStartFunction(THREAD_START_CALLBACK f, VOID *v) { return callback_add(CB_THREAD_START, f, v); }
PIN_CALLBACK PIN_AddThreadFiniFunction(THREAD_FINI_CALLBACK f, VOID *v) { return callback_add(CB_THREAD_FINI, f, v); }

/* ---- data ---- */
TLS_KEY PIN_CreateThreadDataKey(DESTRUCTFUN destructor)
{
    client_lock();
    TLS_KEY k = 0;
    while (k < N_KEYS && keys[k].is_used)
        k++;
    if (k < N_KEYS) {
        keys[k].is_used = true;
        keys[k].is_deleted = false;
        keys[k].destructor = destructor;
    }
    client_unlock();
    return k < N_KEYS ? k : INVALID_TLS_KEY;
}

/* A key that nobody created works as well: there are tools that forgot to. One that was deleted does not. */
static bool is_key(TLS_KEY k) { return k >= 0 && k < N_KEYS && !keys[k].is_deleted; }

BOOL PIN_DeleteThreadDataKey(TLS_KEY k)
{
    if (!is_key(k) || !keys[k].is_used)
        return FALSE;
    keys[k].is_used = false;
    keys[k].is_deleted = true;
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (slots[i])
            slots[i]->data[k] = NULL;
    return TRUE;
}

VOID *PIN_GetThreadData(TLS_KEY k, THREADID tid)
{
    struct slot *s = is_key(k) ? slot_of(tid) : NULL;
    return s ? s->data[k] : NULL;
}

BOOL PIN_SetThreadData(TLS_KEY k, const VOID *data, THREADID tid)
{
    struct slot *s = is_key(k) ? slot_of(tid) : NULL;
    if (!s)
        return FALSE;
    s->data[k] = (VOID *)data;
    return TRUE;
}
