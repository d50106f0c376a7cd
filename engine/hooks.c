/* hooks.c: calls into the tool, with the application's vector registers out of its way. */
#include "engine/hooks.h"
#include "arch_signal.h"
#include "engine/thread.h"

struct hooks hooks;

struct message { struct thread *t; long a, b; const void *p; };

static long start(void *p) { return hooks.start(p), 0; }
static long thread_start(void *p) { return hooks.thread_start(p), 0; }

static long thread_fini(void *p)
{
    struct message *m = p;
    hooks.thread_fini(m->t, (int)m->a);
    return 0;
}

void hook_start(struct thread *t)
{
    if (hooks.start)
        arch_call_hosted(start, t);
    hook_thread_start(t);
}

static long thread_attach(void *p) { return hooks.thread_attach(p), 0; }

void hook_attach(struct thread *helper)
{
    if (hooks.start)
        arch_call_hosted(start, helper);
}

void hook_thread_attach(struct thread *t)
{
    if (hooks.thread_attach)
        arch_call_hosted(thread_attach, t);
}

void hook_thread_start(struct thread *t)
{
    if (hooks.thread_start)
        arch_call_hosted(thread_start, t);
}

void hook_thread_fini(struct thread *t, int status)
{
    struct message m = { .t = t, .a = status };
    if (hooks.thread_fini)
        arch_call_hosted(thread_fini, &m);
}

static long syscall_entry(void *p)
{
    struct message *m = p;
    return hooks.syscall_entry(m->t, (int)m->a), 0;
}

static long syscall_exit(void *p)
{
    struct message *m = p;
    return hooks.syscall_exit(m->t, (int)m->a), 0;
}

void hook_syscall_entry(struct thread *t, int kind)
{
    struct message m = { .t = t, .a = kind };
    if (hooks.syscall_entry)
        arch_call_hosted(syscall_entry, &m);
}

void hook_syscall_exit(struct thread *t, int kind)
{
    struct message m = { .t = t, .a = kind };
    if (hooks.syscall_exit)
        arch_call_hosted(syscall_exit, &m);
}

static long interrupted(void *p) { return hooks.interrupted(p), 0; }

void hook_interrupted(struct thread *t)
{
    if (hooks.interrupted)
        arch_call_hosted(interrupted, t);
    t->left.trace = 0;
}

static long one_signal(void *p)
{
    struct message *m = p;
    return hooks.signal(m->t, m->p, m->a);
}

bool hook_signal(struct thread *t, const struct pending *p, bool has_handler)
{
    struct message m = { .t = t, .a = has_handler, .p = p };
    return !hooks.signal || arch_call_hosted(one_signal, &m);
}

static long context_change(void *p)
{
    struct message *m = p;
    return hooks.context_change(m->t, (int)m->a, (struct arch_context *)m->p, (int)m->b), 0;
}

void hook_context_change(struct thread *t, int reason, struct arch_context *from, int info)
{
    struct message m = { .t = t, .a = reason, .b = info, .p = from };
    arch_call_hosted(context_change, &m);
}

static long one_fork(void *p)
{
    struct message *m = p;
    return hooks.fork(m->t, (int)m->a), 0;
}

void hook_fork(struct thread *t, int when)
{
    struct message m = { .t = t, .a = when };
    if (hooks.fork)
        arch_call_hosted(one_fork, &m);
}

static long mapped(void *p)
{
    struct { addr_t lo; size_t size; int fd; u64 offset; } *m = p;
    return hooks.mapped(m->lo, m->size, m->fd, m->offset), 0;
}

static long unmapped(void *p)
{
    struct message *m = p;
    return hooks.unmapped((addr_t)m->a, (addr_t)m->b), 0;
}

void hook_mapped(addr_t lo, size_t size, int fd, u64 offset)
{
    struct { addr_t lo; size_t size; int fd; u64 offset; } m = { lo, size, fd, offset };
    if (hooks.mapped)
        arch_call_hosted(mapped, &m);
}

void hook_unmapped(addr_t lo, addr_t hi)
{
    struct message m = { .a = (long)lo, .b = (long)hi };
    if (hooks.unmapped)
        arch_call_hosted(unmapped, &m);
}

static long detach(void *unused) { return hooks.detach(); }
bool hook_detach(void) { return hooks.detach && arch_call_hosted(detach, NULL); }

static long follow(void *c) { return hooks.follow(c); }
bool hook_follow(struct exec_child *c) { return !hooks.follow || arch_call_hosted(follow, c); }

static long cache_full(void *p)
{
    struct message *m = p;
    return hooks.cache_full((u32)m->a, (u32)m->b);
}

static long fetch(void *p)
{
    struct message *m = p;
    return (long)hooks.fetch((void *)m->p, (addr_t)m->a, (size_t)m->b);
}

size_t hook_fetch(void *to, addr_t at, size_t n)
{
    struct message m = { .a = (long)at, .b = (long)n, .p = to };
    return (size_t)arch_call_hosted(fetch, &m);
}

bool hook_cache_full(u32 body, u32 stubs)
{
    struct message m = { .a = body, .b = stubs };
    return hooks.cache_full && arch_call_hosted(cache_full, &m);
}

static long trace_inserted(void *p)
{
    struct message *m = p;
    return hooks.trace_inserted(m->p, (struct trace *)m->a), 0;
}

void hook_trace_inserted(const struct view *v, struct trace *t)
{
    struct message m = { .a = (long)t, .p = v };
    if (hooks.trace_inserted)
        arch_call_hosted(trace_inserted, &m);
}

static long cache_crossed(void *p)
{
    struct message *m = p;
    return hooks.cache_crossed(m->a, (addr_t)m->b), 0;
}

void hook_cache_crossed(bool enters, addr_t code)
{
    struct message m = { .a = enters, .b = (long)code };
    if (UNLIKELY(hooks.cache_crossed != NULL))
        arch_call_hosted(cache_crossed, &m);
}

/* ---- a tool that is no more ----
 * Some other thread may be about to call a hook that it found set. So each that was set still can be called, and does nothing. Those
 * that emitted code calls stay: there is none of it any more but what threads are in just now. */
static bool is_lost;

static void no_view(const struct view *v) { }
static size_t memory_itself(void *to, addr_t at, size_t n) { return mem_copy_safely(to, (const void *)at, n) ? n : 0; }
static void no_thread(struct thread *t) { }
static void no_thread_number(struct thread *t, int n) { }
static void no_end(int status) { }
static bool any_signal(struct thread *t, const struct pending *p, bool has_handler) { return true; }
static void no_change(struct thread *t, int reason, struct arch_context *from, int info) { }
static bool no_word(void) { return false; }
static bool any_child(struct exec_child *c) { return true; }
static bool no_mending(struct thread *t, int sig, const struct k_siginfo *info, struct k_ucontext *uc) { return false; }
static void no_event(int event, u64 a, u64 b) { }
static bool no_room(u32 body, u32 stubs) { return false; }
static void no_trace(const struct view *v, struct trace *t) { }
static void no_crossing(bool enters, addr_t code) { }
static void no_file(addr_t lo, size_t size, int fd, u64 offset) { }
static void no_range(addr_t lo, addr_t hi) { }

#define LOSE(name, f) if (hooks.name) __atomic_store_n(&hooks.name, f, __ATOMIC_RELEASE)

void hooks_lose(void)
{
    is_lost = true;
    LOSE(instrument, no_view);
    LOSE(fetch, memory_itself);
    LOSE(start, no_thread);
    LOSE(thread_start, no_thread);
    LOSE(thread_attach, no_thread);
    LOSE(thread_fini, no_thread_number);
    LOSE(fini, no_end);
    LOSE(syscall_entry, no_thread_number);
    LOSE(syscall_exit, no_thread_number);
    LOSE(interrupted, no_thread);
    LOSE(signal, any_signal);
    LOSE(context_change, no_change);
    LOSE(detach, no_word);
    LOSE(fork, no_thread_number);
    LOSE(follow, any_child);
    LOSE(tool_fault, no_mending);
    LOSE(cache_event, no_event);
    LOSE(cache_full, no_room);
    LOSE(trace_inserted, no_trace);
    LOSE(cache_crossed, no_crossing);
    LOSE(mapped, no_file);
    LOSE(unmapped, no_range);
}

bool hooks_are_lost(void) { return is_lost; }
