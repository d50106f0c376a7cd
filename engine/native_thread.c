/* native_thread.c: threads in probe mode. The application makes them natively; they are unknown until a stub finds that the
 * tool's data in place is not theirs: a new thread inherits the register from the one that made it.
 *
 *  (1) Whose data it is, is told by the application's thread pointer, which is different for each thread.
 *  (2) Before its data is in place a thread may not use thread-local data, nor the tool's libc: it would be that of the
 *      other thread, which is running. So one spare block is always ready; who took it makes the next.
 *  (3) The end of a thread is not seen. Its block is used again by a thread with the same thread pointer: libcs use their
 *      stacks again, with the thread pointers in them. Now and then any block whose thread has ended will do.
 *  (4) Signals are blocked meanwhile: a handler of the application may come to a stub too. */
#include "base/heap.h"
#include "base/panic.h"
#include "base/str.h"
#include "base/sys.h"
#include "engine/native.h"
#include "engine/thread.h"
#include "loader/rt.h"
#include "probe/probe.h"

enum { SWEEP = 64 };                            /* looking at all threads takes a system call for each */
static struct lock lock;
static struct rt_thread *spare;

static struct thread *thread_of(struct rt_thread *rt) { return arch_thread_at(rt_thread_fs(rt)); }

struct thread *native_thread_new(void)
{
    struct rt_thread *rt = rt_thread_new();
    if (!rt)
        ct_fatal("no memory for the tool's data of another thread");
    struct thread *t = thread_of(rt);
    memset(t, 0, sizeof *t);
    t->rt = rt;
    return t;
}

static void make_spare(void) { spare = native_thread_new()->rt; }

void native_threads_init(void) { make_spare(); }

void native_forked(void)
{
    lock_reset(&lock);
    heap_after_fork();
    probe_forked();
    thr_only_survivor(&thr_self);
}

static bool has_ended(int tid) { return sys3(__NR_tgkill, sys_getpid(), tid, 0) == -E_SRCH; }

static struct thread *find_ended(u64 pointer, bool is_any)
{
    struct thread *t = thr_first();
    while (t && !((is_any ? t->rt != NULL : arch_native_seen(t) == pointer) && has_ended(t->tid)))
        t = t->next;
    return t;
}

/* The thread itself, with another thread pointer than before; or one that has ended and left its own. */
static struct thread *find(int tid, u64 pointer)
{
    struct thread *t;
    lock_take_early(thr_lock());
    for (t = thr_first(); t && t->tid != tid; t = t->next)
        ;
    if (!t)
        t = find_ended(pointer, false);
    if (!t && thr_count() % SWEEP == 0)
        t = find_ended(0, true);
    lock_drop_early(thr_lock());
    return t;
}

static bool is_ours(u64 tool_pointer)
{
    struct thread *t;
    lock_take_early(thr_lock());
    for (t = thr_first(); t && arch_native_pointer_of(t) != tool_pointer; t = t->next)
        ;
    lock_drop_early(thr_lock());
    return t != NULL;
}

static struct thread *take_spare(int tid)
{
    struct thread *t = thread_of(spare);
    t->tid = tid;
    lock_take_early(thr_lock());
    thr_attach_locked(t);
    lock_drop_early(thr_lock());
    return t;
}

/* From here on thread-local data is the thread's own. */
static __attribute__((noinline)) void settle(struct thread *t, bool is_new, int tid)
{
    t->tid = tid;
    if (t->rt)
        rt_thread_enter(t->rt, tid);
    if (is_new)
        make_spare();
}

/* Until the thread has its own thread-local data, locks are taken without a name. */
void native_thread_begin(void)
{
    u64 all = ~0ull, mask = 0, pointer = arch_native_pointer(), tool = arch_native_tool_pointer();
    int tid = sys_gettid();
    sys4(__NR_rt_sigprocmask, 2, &all, &mask, 8);
    lock_take_early(&lock);
    if (tool && !is_ours(tool))
        ct_fatal("the program uses the GS register itself, which probe mode needs for the tool: run without probes");
    struct thread *t = find(tid, pointer);
    bool is_new = !t;
    if (is_new)
        t = take_spare(tid);
    arch_native_use(t, pointer);
    settle(t, is_new, tid);
    lock_drop_early(&lock);
    sys4(__NR_rt_sigprocmask, 2, &mask, 0, 8);
}
