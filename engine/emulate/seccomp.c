/* seccomp.c: the program forbids system calls to itself, and would forbid them to the engine.
 *
 * A filter can see where a call comes from. So each is installed with a few instructions in front that let pass whatever comes
 * from the private range, but for the places where the application's calls are made.
 *  (1) Those ask the kernel, and with it the filters, as natively.
 *  (2) What the engine performs itself is judged here before, by the same filters.
 *  (3) Strict mode, which asks no filter, is judged here alone. */
#include "engine/emulate/seccomp.h"
#include "arch_syscalls.h"
#include "base/heap.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/emulate/bpf.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/process.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/tracer.h"
#include "engine/engine.h"
#include "engine/log.h"

struct seccomp { const struct seccomp *older; bool is_strict; u32 n; struct bpf_op code[]; };

enum { FRONT = 5 + ARCH_CALL_PLACES };          /* instructions in front of the program's own */
enum { KILL_PROCESS = (int)0x80000000, KILL_THREAD = 0, TRAP = 0x30000, ERRNO = 0x50000, NOTIFY = 0x7fc00000,
       TRACE = 0x7ff00000, LOG = 0x7ffc0000, ALLOW = 0x7fff0000 };           /* the lowest wins */
static s32 action_of(u32 verdict) { return (s32)(verdict & 0xffff0000); }

/* ---- installation ---- */
static void put_front(struct bpf_op *p)
{
    enum { IP = offsetof(struct bpf_data, ip) };
    *p++ = (struct bpf_op){ BPF_LOAD_WORD, 0, 0, IP + 4 };
    *p++ = (struct bpf_op){ BPF_IF_EQUAL, 0, ARCH_CALL_PLACES + 2, (u32)(PRIV_LO >> 32) };
    *p++ = (struct bpf_op){ BPF_LOAD_WORD, 0, 0, IP };
    for (u32 i = 0; i < ARCH_CALL_PLACES; i++)
        *p++ = (struct bpf_op){ BPF_IF_EQUAL, (u8)(ARCH_CALL_PLACES - i), 0, (u32)arch_app_call_end(i) };
    *p++ = (struct bpf_op){ BPF_RETURN, 0, 0, ALLOW };
    *p++ = (struct bpf_op){ BPF_LOAD_CONST, 0, 0, 0 };        /* a program begins with zeros */
}

/* Calls that the engine makes by itself, whatever the program does. */
#define NEEDED(X) X(mmap) X(munmap) X(mprotect) X(madvise) X(futex) X(rt_sigaction) X(rt_sigprocmask) X(rt_sigreturn) \
    X(sigaltstack) X(getpid) X(gettid) X(tgkill) X(openat) X(read) X(close) X(exit_group)
/* Calls of the program that become others, or none, so that the kernel cannot ask anybody about them. */
#define UNASKED(X) X(rt_sigaction) X(rt_sigprocmask) X(sigaltstack) X(clone) X(clone3) X(fork) X(vfork) X(execve) X(execveat) \
    X(exit) X(exit_group)
#define X(name) { __NR_##name, #name },
static const struct named { u32 nr; const char *name; } needed[] = { NEEDED(X) }, unasked[] = { UNASKED(X) };
#undef X

/* Arguments unknown: a filter that looks at them gets zeros, and the benefit of the doubt is the filter's. */
static size_t list_forbidden(const struct seccomp *s, char *text, size_t size)
{
    size_t at = 0;
    for (u32 i = 0; i < ARRAY_LEN(needed) && at + 24 < size; i++) {
        struct bpf_data d = { .nr = needed[i].nr, .arch = (u32)ARCH_AUDIT, .ip = arch_sigreturn_stub() };
        if (action_of(bpf_run(s->code + FRONT, s->n - FRONT, &d)) < NOTIFY)
            at += ct_format(text + at, size - at, "%s%s", at ? ", " : "", needed[i].name);
    }
    return at;
}

/* No room for the front: the engine is in the filter's hands. */
static void tell(const struct seccomp *s)
{
    char text[256];
    if (!opt->quiet && list_forbidden(s, text, sizeof text))
        ct_print(log_stderr(), "cotter: the program's seccomp filter forbids %s, which Cotter needs: it may not live long\n", text);
}

static void add_to_all(struct thread *t, const struct seccomp *s)
{
    lock_take(thr_lock());
    for (struct thread *o = thr_first(); o; o = o->next)
        if (o != t)
            o->seccomp = s;
    lock_drop(thr_lock());
}

/* The kernel's own words for what is wrong with it. */
static bool read_filter(addr_t at, struct bpf_program *p) 
{
    return mem_copy_safely(p, (void *)at, sizeof *p) && p->n && p->n <= BPF_MAX_OPS;
}

long seccomp_filter(struct thread *t, struct syscall_args *a, bool for_all)
{
    struct bpf_program p;
    if (!read_filter((addr_t)a->a[2], &p))
        return SYS_PASS;
    size_t size = sizeof(struct seccomp) + (FRONT + p.n) * sizeof(struct bpf_op);
    struct seccomp *s = heap_alloc(size);
    s->older = t->seccomp;
    s->n = FRONT + p.n;
    put_front(s->code);
    if (!mem_copy_safely(s->code + FRONT, (void *)p.code, p.n * sizeof *s->code)) {
        heap_free(s, size);
        return SYS_PASS;
    }
    bool has_room = s->n <= BPF_MAX_OPS;
    struct bpf_program ours = { .n = (u16)(has_room ? s->n : p.n), .code = (addr_t)(has_room ? s->code : s->code + FRONT) };
    struct syscall_args k = *a;
    k.a[2] = (long)&ours;
    if (!has_room)
        tell(s);
    long r = syscall_kernel(t, &k);
    if (sys_failed(r) || (for_all && r > 0)) {
        heap_free(s, size);
        return r;
    }
    t->seccomp = s;
    if (for_all)
        add_to_all(t, s);
    return r;
}

long seccomp_strict(struct thread *t)
{
    if (t->seccomp)
        return -E_INVAL;
    struct seccomp *s = heap_alloc(sizeof *s);
    s->is_strict = true;
    t->seccomp = s;
    return 0;
}

long sys_seccomp(struct thread *t, struct syscall_args *a)
{
    enum { SET_MODE_STRICT, SET_MODE_FILTER, FLAG_TSYNC = 1 };
    if (a->a[0] == SET_MODE_FILTER)
        return seccomp_filter(t, a, a->a[1] & FLAG_TSYNC);
    if (a->a[0] == SET_MODE_STRICT && !a->a[1] && !a->a[2])
        return seccomp_strict(t);
    return SYS_PASS;
}

/* ---- judgement ---- */
static void die(struct thread *t, int sig, bool is_thread_alone)
{
    struct syscall_args a = { .nr = __NR_exit, .a = { sig } };
    if (is_thread_alone && !thr_alone())
        sys_exit(t, &a);
    proc_last_word(128 + sig);
    if (sig == K_SIGSYS)
        sig_die(sig);
    for (;;)
        sys2(__NR_kill, sys_getpid(), sig);
}

static bool strict_allows(long nr) { return nr == __NR_read || nr == __NR_write || nr == __NR_exit || nr == __NR_rt_sigreturn; }

static u32 ask(const struct seccomp *newest, const struct bpf_data *d)
{
    u32 verdict = ALLOW;
    for (const struct seccomp *s = newest; s; s = s->older) {
        u32 v = bpf_run(s->code + FRONT, s->n - FRONT, d);
        if (action_of(v) < action_of(verdict))
            verdict = v;
    }
    return verdict;
}

static long trap(struct thread *t, long nr, addr_t next, u32 data)
{
    enum { SYS_SECCOMP = 1 };
    arch_sys_result(&t->arch, nr, next);
    sig_raise(t, K_SIGSYS, SYS_SECCOMP, next, NULL);
    t->pend.info.err = (s32)data;
    t->pend.info.call = (s32)nr;
    t->pend.info.call_arch = arch_sys_audit(&t->arch);
    return SYS_REPLACED;
}

/* A supervisor, or a tracer, is to be asked. */
static long pass_unasked(u32 nr)
{
    static u32 has_told;
    for (u32 i = 0; i < ARRAY_LEN(unasked); i++)
        if (unasked[i].nr == nr && !opt->quiet && !__atomic_exchange_n(&has_told, 1, __ATOMIC_RELAXED))
            ct_print(log_stderr(), "cotter: the program's seccomp filter wants somebody asked about %s, which Cotter performs "
                     "itself: it is allowed\n", unasked[i].name);
    return SYS_PASS;
}

long seccomp_judge(struct thread *t, const struct syscall_args *a, bool is_ours)
{
    addr_t next = arch_pc(&t->arch.regs) + t->insn_len;
    struct bpf_data d = { .nr = (u32)sys_named(a), .arch = arch_sys_audit(&t->arch), .ip = next };
    if (t->seccomp->is_strict && !strict_allows(a->nr))
        die(t, K_SIGKILL, true);
    if (t->seccomp->is_strict || !is_ours)
        return SYS_PASS;
    memcpy(d.args, a->a, sizeof d.args);
    u32 verdict = ask(t->seccomp, &d), data = verdict & 0xffff;
    switch (action_of(verdict)) {
    case ALLOW: case LOG: return SYS_PASS;
    case NOTIFY: return pass_unasked((u32)a->nr);
    case TRACE: return tracer_is_there() ? pass_unasked((u32)a->nr) : -E_NOSYS;
    case ERRNO: return -(long)MIN(data, 4095u);
    case TRAP: return trap(t, sys_named(a), next, data);
    default: die(t, K_SIGSYS, action_of(verdict) == KILL_THREAD); return SYS_PASS;
    }
}
