/* lockstat: locks of the program: how often taken, how often somebody else had them, how long they were waited for and held;
 * pairs of locks that are taken in both orders, which may end in a deadlock.
 *
 * Shows: functions replaced by ones that call the original. Knows pthread mutexes, read-write locks and spin locks by the names of
 * their functions; a condition variable gives its mutex away while it waits. */
#include "tool.h"
#include "callstack.h"
#include <time.h>

TOOL_ABOUT("locks: contention, waiting and holding times, locks taken in both orders");

enum { MAX_HELD = 64 };
struct lock {
    struct lock *next;
    ADDRINT at;
    const char *kind;
    UINT64 taken, contended, failed, wait_ns, wait_max, hold_ns, hold_max;
    UINT32 holders;                             /* now: several readers may be */
    const struct callstack *first_taken;
};
struct order { struct order *next; struct lock *first, *second; const struct callstack *stack; };

static struct map locks;                        /* address -> lock */
static struct lock *first_lock;
static struct map orders;                       /* hash of two addresses -> order */
static struct order *first_order;
static PIN_MUTEX guard;
struct held { struct lock *lock; UINT64 since; };
static __thread struct held held[MAX_HELD];
static __thread UINT32 n_held;

static UINT64 now(VOID)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (UINT64)t.tv_sec * 1000000000 + (UINT64)t.tv_nsec;
}

/* ---- the books; under the guard ---- */
static struct lock *lock_at(ADDRINT at, const char *kind)
{
    UINT64 *slot = map_at(&locks, at);
    if (!*slot) {
        struct lock *l = need(sizeof *l);
        *l = (struct lock){ .next = first_lock, .at = at, .kind = kind };
        *slot = (UINT64)(first_lock = l);
    }
    return (struct lock *)*slot;
}

static UINT64 pair(const struct lock *a, const struct lock *b)
{
    ADDRINT two[2] = { a->at, b->at };
    return hash_bytes(two, sizeof two, 1);
}

static VOID note_order(struct lock *second, const struct callstack *stack)
{
    for (UINT32 i = 0; i < n_held; i++) {
        struct lock *first = held[i].lock;
        UINT64 *slot = first == second ? NULL : map_at(&orders, pair(first, second));
        if (!slot || *slot)
            continue;
        struct order *o = need(sizeof *o);
        *o = (struct order){ first_order, first, second, stack };
        *slot = (UINT64)(first_order = o);
    }
}

static VOID took(struct lock *l, UINT64 asked, const struct callstack *stack)
{
    UINT64 t = now(), wait = t - asked;
    if (!l->taken++)
        l->first_taken = stack;
    l->wait_ns += wait;
    l->wait_max = wait > l->wait_max ? wait : l->wait_max;
    l->holders++;
    if (n_held < MAX_HELD)
        held[n_held++] = (struct held){ l, t };
}

static VOID gave(struct lock *l)
{
    l->holders -= l->holders > 0;
    for (UINT32 i = n_held; i-- > 0;)
        if (held[i].lock == l) {
            UINT64 hold = now() - held[i].since;
            l->hold_ns += hold;
            l->hold_max = hold > l->hold_max ? hold : l->hold_max;
            memmove(&held[i], &held[i + 1], (--n_held - i) * sizeof *held);
            return;
        }
}

/* ---- replacements ---- */
static int call(const CONTEXT *c, THREADID tid, AFUNPTR f, ADDRINT a0, ADDRINT a1, ADDRINT a2, ADDRINT a3)
{
    int result;
    PIN_CallApplicationFunction(c, tid, CALLINGSTD_DEFAULT, f, NULL, PIN_PARG(int), &result, PIN_PARG(ADDRINT), a0, PIN_PARG(ADDRINT), a1,
                                PIN_PARG(ADDRINT), a2, PIN_PARG(ADDRINT), a3, PIN_PARG_END());
    return result;
}

static int take(const CONTEXT *c, THREADID tid, AFUNPTR f, ADDRINT a0, ADDRINT a1, ADDRINT a2, ADDRINT a3, ADDRINT sp, const char *kind)
{
    const struct callstack *stack = callstack_here(0, sp);
    PIN_MutexLock(&guard);
    struct lock *l = lock_at(a0, kind);
    l->contended += l->holders > 0;
    note_order(l, stack);
    PIN_MutexUnlock(&guard);
    UINT64 asked = now();
    int result = call(c, tid, f, a0, a1, a2, a3);
    PIN_MutexLock(&guard);
    if (result == 0)
        took(l, asked, stack);
    else
        l->failed++;
    PIN_MutexUnlock(&guard);
    return result;
}

static int give(const CONTEXT *c, THREADID tid, AFUNPTR f, ADDRINT a0, ADDRINT a1, ADDRINT a2, ADDRINT a3, ADDRINT sp, const char *kind)
{
    PIN_MutexLock(&guard);
    gave(lock_at(a0, kind));
    PIN_MutexUnlock(&guard);
    return call(c, tid, f, a0, a1, a2, a3);
}

static int wait_for(const CONTEXT *c, THREADID tid, AFUNPTR f, ADDRINT a0, ADDRINT a1, ADDRINT a2, ADDRINT a3, ADDRINT sp, const char *kind)
{
    PIN_MutexLock(&guard);
    struct lock *l = lock_at(a1, kind);
    gave(l);
    PIN_MutexUnlock(&guard);
    int result = call(c, tid, f, a0, a1, a2, a3);
    PIN_MutexLock(&guard);
    l->holders++;
    if (n_held < MAX_HELD)
        held[n_held++] = (struct held){ l, now() };
    PIN_MutexUnlock(&guard);
    return result;
}

typedef int replacement(const CONTEXT *, THREADID, AFUNPTR, ADDRINT, ADDRINT, ADDRINT, ADDRINT, ADDRINT, const char *);
static const struct { const char *name, *kind; replacement *by; } functions[] = {
    { "pthread_mutex_lock", "mutex", take }, { "pthread_mutex_trylock", "mutex", take }, { "pthread_mutex_timedlock", "mutex", take },
    { "pthread_mutex_clocklock", "mutex", take }, { "pthread_mutex_unlock", "mutex", give },
    { "pthread_rwlock_rdlock", "rwlock", take }, { "pthread_rwlock_wrlock", "rwlock", take }, { "pthread_rwlock_tryrdlock", "rwlock", take },
    { "pthread_rwlock_trywrlock", "rwlock", take }, { "pthread_rwlock_unlock", "rwlock", give },
    { "pthread_spin_lock", "spin lock", take }, { "pthread_spin_trylock", "spin lock", take }, { "pthread_spin_unlock", "spin lock", give },
    { "pthread_cond_wait", "mutex", wait_for }, { "pthread_cond_timedwait", "mutex", wait_for }, { "pthread_cond_clockwait", "mutex", wait_for },
};

static VOID image(IMG img, VOID *v)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !IMG_IsInterpreter(img); i++) {
        RTN rtn = RTN_FindByName(img, functions[i].name);
        if (RTN_Valid(rtn) && !RTN_IsArtificial(rtn))
            RTN_ReplaceSignature(rtn, AFUNPTR(functions[i].by), IARG_CONST_CONTEXT, IARG_THREAD_ID, IARG_ORIG_FUNCPTR, IARG_FUNCARG_ENTRYPOINT_VALUE, 0,
                                 IARG_FUNCARG_ENTRYPOINT_VALUE, 1, IARG_FUNCARG_ENTRYPOINT_VALUE, 2, IARG_FUNCARG_ENTRYPOINT_VALUE, 3,
                                 IARG_REG_VALUE, REG_STACK_PTR, IARG_PTR, functions[i].kind, IARG_END);
    }
}

/* ---- report ---- */
static const char *place_of(const struct callstack *s) { return s && s->n ? place_text(s->at[0]) : "?"; }

static VOID add_inversions(struct report *r)
{
    struct table *t = report_table(r, "inversions", "one_lock:x other_lock:x one_then_other_at:t other_then_one_at:t");
    table_title(t, "locks taken in both orders");
    for (struct order *o = first_order; o; o = o->next) {
        const struct order *back = (const struct order *)map_get(&orders, pair(o->second, o->first));
        if (back && o->first->at < o->second->at)
            table_row(t, o->first->at, o->second->at, place_of(o->stack), place_of(back->stack));
    }
    report_hidden_number(r, "inverted_pairs", table_rows(t));
}

static VOID report(VOID)
{
    UINT64 n = 0, taken = 0, contended = 0;
    for (struct lock *l = first_lock; l; l = l->next) {
        n += l->taken > 0;
        taken += l->taken;
        contended += l->contended;
    }
    struct report *r = report_new("%s, taken %s, %s (%.2f%%) while somebody had them", counted(n, "lock"), counted(taken, "time"), counted(contended, "time"),
                                  percent(contended, taken));
    report_hidden_number(r, "locks_taken", taken);
    report_hidden_number(r, "contended", contended);
    struct table *t = report_table(r, "locks", "lock:x kind:t taken:n contended:n failed:n wait_us:n share:% wait_max_us:n hold_us:n hold_max_us:n first_taken:t");
    for (struct lock *l = first_lock; l; l = l->next)
        if (l->taken)
            table_row(t, l->at, l->kind, l->taken, l->contended, l->failed, l->wait_ns / 1000, l->wait_max / 1000, l->hold_ns / 1000,
                      l->hold_max / 1000, place_of(l->first_taken));
    table_sort(t, 5);
    add_inversions(r);
    report_write(r);
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    map_clear(&locks);
    map_clear(&orders);
    first_lock = NULL;
    first_order = NULL;
    n_held = 0;
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    PIN_MutexInit(&guard);
    callstack_watch();
    IMG_AddInstrumentFunction(image, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
