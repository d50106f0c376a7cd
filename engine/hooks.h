/* hooks.h: what the engine calls in a tool. Filled by api/ before the engine starts; empty without a tool. They are hosted
 * code: the engine calls them through arch_call_hosted, unless it says otherwise. */
#ifndef ENGINE_HOOKS_H
#define ENGINE_HOOKS_H
#include "base/types.h"

struct thread;
struct view;
struct trace;
struct arch_context;
struct pending;
struct k_siginfo;
struct k_ucontext;

/* A program that the application executes and that is to be followed. */
struct exec_child {
    const char *path;
    const u64 *argv;                            /* of the application's call, in its memory */
    long argc;
    const char *const *command;                 /* what to run it with instead: ends with --; NULL: as this one was */
    long n_command;
};

extern struct hooks {
    /* Look at a new trace and ask for calls (jit/instrument.h). Cache lock held. */
    void (*instrument)(const struct view *v);
    /* The code at `at` as the tool has it: up to n bytes, how many. NULL: it is what lies in memory. Cache lock held. */
    size_t (*fetch)(void *to, addr_t at, size_t n);
    /* An argument that only the tool interface can work out; called from emitted code, not under a lock. */
    u64 (*argument)(u64 what, struct arch_context *c);
    /* Buffers of records, filled by emitted code: bytes of a record; t's is full (from emitted code, as `argument`). */
    u32 (*record_size)(u32 buffer);
    void (*buffer_full)(struct thread *t, u32 buffer, struct arch_context *c);
    /* The application is about to run its first instruction. */
    void (*start)(struct thread *t);
    /* On the thread itself: before its first instruction, after its last. */
    void (*thread_start)(struct thread *t);
    /* The same for a thread that was there before: attach. `start` ran before, on a thread that is none of the application's. */
    void (*thread_attach)(struct thread *t);
    void (*thread_fini)(struct thread *t, int status);
    /* Once, at the end of the process. */
    void (*fini)(int status);
    /* Around a system call; the thread's stored registers say which and may be changed. kind: enum syscall_kind. */
    void (*syscall_entry)(struct thread *t, int kind);
    void (*syscall_exit)(struct thread *t, int kind);
    /* The thread has left a trace in the middle (t->left), for whatever reason. Nothing is held; it may have been stopped. */
    void (*interrupted)(struct thread *t);
    /* A signal is about to be delivered; false: it is not. The stored registers may be changed. */
    bool (*signal)(struct thread *t, const struct pending *p, bool has_handler);
    /* The thread is about to go on with other registers: `from` is what it had, its stored ones are what it will have, unless
     * it dies. reason: enum change_reason; info: the signal. */
    void (*context_change)(struct thread *t, int reason, struct arch_context *from, int info);
    /* All threads are at rest and about to go on natively. False: the tool has nothing to say to that. */
    bool (*detach)(void);
    /* Before a fork, after it in the parent, in the child. */
    void (*fork)(struct thread *t, int when);
    /* A followed exec is about to happen; false: let it go natively. */
    bool (*follow)(struct exec_child *c);
    /* A fault in the tool or in the engine that serves it; called by the signal handler. True: go on with `uc`. */
    bool (*tool_fault)(struct thread *t, int sig, const struct k_siginfo *info, struct k_ucontext *uc);
    /* The name of a function of the tool as people write it; false: it is that already. For the report of a crash. */
    bool (*demangle)(const char *name, char *text, size_t size);
    /* Something happened to the code cache (cache/events.h). */
    void (*cache_event)(int event, u64 a, u64 b);
    /* The cache is full; false: flush it. A trace is in the cache: it was made from what `v` shows. Cache lock held. */
    bool (*cache_full)(u32 body, u32 stubs);
    void (*trace_inserted)(const struct view *v, struct trace *t);
    /* A thread enters the cache at `code`, or has left it there (0: at no known place). */
    void (*cache_crossed)(bool enters, addr_t code);
    /* The application mapped a file for execution, or unmapped memory. */
    void (*mapped)(addr_t lo, size_t size, int fd, u64 offset);
    void (*unmapped)(addr_t lo, addr_t hi);
} hooks;
enum syscall_kind { SYSCALL_PLAIN, SYSCALL_OTHER };          /* OTHER: an older way of making one */
enum change_reason { CHANGE_FATAL, CHANGE_SIGNAL, CHANGE_RETURN };
enum { FORK_BEFORE, FORK_PARENT, FORK_CHILD };

/* The tool's memory cannot be trusted any more: none of its functions is called from now on. */
void hooks_lose(void);
bool hooks_are_lost(void);

/* The engine's side: nothing without a tool. */
size_t hook_fetch(void *to, addr_t at, size_t n);
void hook_start(struct thread *t);
void hook_thread_start(struct thread *t);
void hook_attach(struct thread *helper);
void hook_thread_attach(struct thread *t);
void hook_thread_fini(struct thread *t, int status);
void hook_syscall_entry(struct thread *t, int kind);
void hook_syscall_exit(struct thread *t, int kind);
void hook_interrupted(struct thread *t);
bool hook_signal(struct thread *t, const struct pending *p, bool has_handler);
void hook_context_change(struct thread *t, int reason, struct arch_context *from, int info);
bool hook_follow(struct exec_child *c);
bool hook_detach(void);
void hook_fork(struct thread *t, int when);
void hook_mapped(addr_t lo, size_t size, int fd, u64 offset);
void hook_unmapped(addr_t lo, addr_t hi);
bool hook_cache_full(u32 body, u32 stubs);
void hook_trace_inserted(const struct view *v, struct trace *t);
void hook_cache_crossed(bool enters, addr_t code);
#endif
