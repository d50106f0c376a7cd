/* internal.c: threads of the tool's own. They are ordinary threads of the tool's libc; the engine does not know them, and
 * the application's signals are kept away from them. */
#include "api/api.h"
#include "base/sys.h"
#include "engine/emulate/stop.h"
#include "engine/jit/promote.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { FUTEX_WAIT = 128, FUTEX_WAKE = 129 };

struct internal {
    struct internal *next;
    ROOT_THREAD_FUNC *fun;
    VOID *arg;
    THREADID tid;
    PIN_THREAD_UID uid;
    INT32 code;
    u32 is_over;                                /* futex */
};
static struct internal *all;                    /* guarded by the client lock; records stay for those who ask later */
static u32 has_started;                         /* futex */
static __thread struct internal *self;

THREADID internal_id(void) { return self ? self->tid : INVALID_THREADID; }

static void wait_while(u32 *word, u32 value, const struct timespec *limit) { sys4(__NR_futex, word, FUTEX_WAIT, value, limit); }

void internal_start(void)
{
    __atomic_store_n(&has_started, 1, __ATOMIC_RELEASE);
    sys3(__NR_futex, &has_started, FUTEX_WAKE, 0x7fffffff);
}

/* Only what its own faults raise. */
static void block_signals(void)
{
    u64 mask = ~(1ull << (K_SIGSEGV - 1) | 1ull << (K_SIGBUS - 1) | 1ull << (K_SIGFPE - 1) | 1ull << (K_SIGILL - 1));
    sys4(__NR_rt_sigprocmask, K_SIG_SETMASK, &mask, 0, 8);
}

static void end(INT32 code)
{
    struct internal *me = self;
    thread_disown(me->tid);
    thr_give_index(me->tid);
    me->code = code;
    __atomic_store_n(&me->is_over, 1, __ATOMIC_RELEASE);
    sys3(__NR_futex, &me->is_over, FUTEX_WAKE, 0x7fffffff);
}

static void *begin(void *p)
{
    self = p;
    block_signals();
    thr_self.tid = sys_gettid();
    while (!__atomic_load_n(&has_started, __ATOMIC_ACQUIRE))
        wait_while(&has_started, 0, NULL);
    self->fun(self->arg);
    end(0);
    return NULL;
}

static bool create(struct internal *t, size_t stack)
{
    pthread_attr_t a;
    pthread_t id;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    if (stack)
        pthread_attr_setstacksize(&a, MAX(stack, 65536ul));
    bool ok = pthread_create(&id, &a, begin, t) == 0;
    pthread_attr_destroy(&a);
    return ok;
}

THREADID PIN_SpawnInternalThread(ROOT_THREAD_FUNC *fun, VOID *arg, size_t stack, PIN_THREAD_UID *uid)
{
    struct internal *t = calloc(1, sizeof *t);
    t->fun = fun;
    t->arg = arg;
    t->tid = thr_take_index();
    t->uid = thread_adopt(t->tid);
    code_lock();
    promote_forbid();                           /* it may look at any word of the tool's at any time */
    code_unlock();
    client_lock();
    t->next = all;
    all = t;
    client_unlock();
    if (uid)
        *uid = t->uid;
    return create(t, stack) ? t->tid : INVALID_THREADID;
}

VOID PIN_ExitThread(INT32 code)
{
    if (self) {
        end(code);
        pthread_exit(NULL);
    }
    not_in_probe_mode("PIN_ExitThread");
    if (arch_is_hosted())
        api_fatal("PIN_ExitThread: a callback returns: a thread of the application's is ended by an analysis routine");
    client_lock_release_all();
    thr_exit(&thr_self, code);
}

BOOL PIN_WaitForThreadTermination(const PIN_THREAD_UID *uid, UINT32 ms, INT32 *code)
{
    struct internal *t;
    client_lock();
    for (t = all; t && t->uid != *uid; t = t->next)
        ;
    client_unlock();
    if (!t)
        return FALSE;
    bool is_of_application = !self;                 /* at rest, as far as that thread is concerned */
    if (is_of_application)
        stop_safe_begin(&thr_self);
    for (UINT32 waited = 0; !__atomic_load_n(&t->is_over, __ATOMIC_ACQUIRE) && (ms == PIN_INFINITE_TIMEOUT || waited < ms); waited += 10) {
        struct timespec step = { 0, 10000000 };
        wait_while(&t->is_over, 0, &step);
    }
    if (is_of_application)
        stop_safe_end(&thr_self);
    if (!__atomic_load_n(&t->is_over, __ATOMIC_ACQUIRE))
        return FALSE;
    if (code)
        *code = t->code;
    return TRUE;
}
