/* int80.c: system calls of 32-bit programs, which 64-bit code makes by int 0x80: numbers of another table, arguments of 32 bits.
 *
 * The kernel performs them as it does natively: the engine's own int 0x80 passes them on (entry.S). What is needed beyond that:
 *  (1) A call that the engine must know of names its twin, the call of the 64-bit table with arguments of the same form, whose
 *      handler sees it first.
 *  (2) Where the form differs, a function here translates for the handler.
 *  (3) If a handler puts something of the engine's in the place of an argument, its address has more than 32 bits: then the twin
 *      is what the kernel is asked for.
 * What would lead to 32-bit code, a signal handler above all, is refused by name. */
#include "arch/x86/context.h"
#include "arch/x86/emulate.h"
#include "arch/x86/int80.h"
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/emulate/bpf.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/process.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/thread.h"

enum { NO_TWIN = -1 };
enum { MMAP2 = 192, SHMAT = 397, SHMDT = 398 };              /* numbers of the 32-bit table */

NORETURN static void refuse(const struct thread *t, const struct syscall_args *a, const char *what)
{
    ct_fatal("%s is not supported in a 64-bit program: system call %ld by int 0x80 at 0x%lx", what, sys_named(a), t->arch.regs.pc);
}

/* ---- memory ---- */
/* The offset is in pages; the handler wants bytes, x86_older_call puts it back. */
static long mmap2(struct thread *t, struct syscall_args *a)
{
    a->a[5] *= PAGE_SIZE;
    return sys_mmap(t, a);
}

static long old_mmap(struct thread *t, struct syscall_args *a)
{
    u32 w[6];
    if (!mem_copy_safely(w, (void *)a->a[0], sizeof w))
        return -E_FAULT;
    if (w[5] % PAGE_SIZE)
        return -E_INVAL;
    struct syscall_args k = { .nr = __NR_mmap, .a = { w[0], w[1], w[2], w[3], w[4], w[5] }, .older = 1 + MMAP2 };
    return sys_mmap(t, &k);
}

/* ipc(call, id, flags, where the address goes, address) */
static long ipc(struct thread *t, struct syscall_args *a)
{
    enum { CALL_SHMAT = 21, CALL_SHMDT = 22 };
    if (a->a[0] == CALL_SHMDT) {
        struct syscall_args k = { .nr = __NR_shmdt, .a = { a->a[4] }, .older = 1 + SHMDT };
        return sys_shmdt(t, &k);
    }
    if (a->a[0] != CALL_SHMAT)
        return SYS_PASS;
    struct syscall_args k = { .nr = __NR_shmat, .a = { a->a[1], a->a[4], a->a[2] }, .older = 1 + SHMAT };
    long r = sys_shmat(t, &k);
    u32 at = (u32)r;
    if (sys_failed(r) || r == SYS_INTERRUPTED)
        return r;
    return smc_write((void *)a->a[3], &at, sizeof at) ? 0 : -E_FAULT;
}

/* ---- signals: the words of masks are the same in memory; structures are not ---- */
/* The kernel would enter a handler in 32-bit mode. */
static long set_action(struct thread *t, struct syscall_args *a, struct k_sigaction *next, struct k_sigaction *old)
{
    if (next && next->handler > K_SIG_IGN)
        refuse(t, a, "a 32-bit signal handler");
    struct syscall_args k = { .nr = __NR_rt_sigaction, .a = { a->a[0], (long)next, (long)old, 8 } };
    return sig_sys_action(t, &k);
}

static long rt_sigaction(struct thread *t, struct syscall_args *a)
{
    struct { u32 handler, flags, restorer, mask[2]; } s;
    struct k_sigaction next, old;
    if (a->a[3] != 8)
        return -E_INVAL;
    if (a->a[1]) {
        if (!mem_copy_safely(&s, (void *)a->a[1], sizeof s))
            return -E_FAULT;
        next = (struct k_sigaction){ s.handler, s.flags, s.restorer, (u64)s.mask[1] << 32 | s.mask[0] };
    }
    long r = set_action(t, a, a->a[1] ? &next : NULL, &old);
    if (r || !a->a[2])
        return r;
    s.handler = (u32)old.handler, s.flags = (u32)old.flags, s.restorer = (u32)old.restorer;
    s.mask[0] = (u32)old.mask, s.mask[1] = (u32)(old.mask >> 32);
    return smc_write((void *)a->a[2], &s, sizeof s) ? 0 : -E_FAULT;
}

static long old_sigaction(struct thread *t, struct syscall_args *a)
{
    struct { u32 handler, mask, flags, restorer; } s;
    struct k_sigaction next, old;
    if (a->a[1]) {
        if (!mem_copy_safely(&s, (void *)a->a[1], sizeof s))
            return -E_FAULT;
        next = (struct k_sigaction){ s.handler, s.flags, s.restorer, s.mask };
    }
    long r = set_action(t, a, a->a[1] ? &next : NULL, &old);
    if (r || !a->a[2])
        return r;
    s.handler = (u32)old.handler, s.mask = (u32)old.mask, s.flags = (u32)old.flags, s.restorer = (u32)old.restorer;
    return smc_write((void *)a->a[2], &s, sizeof s) ? 0 : -E_FAULT;
}

static long old_signal(struct thread *t, struct syscall_args *a)
{
    struct k_sigaction next = { (u64)a->a[1], (u64)(u32)K_SA_RESETHAND | K_SA_NODEFER, 0, 0 }, old;
    long r = set_action(t, a, &next, &old);
    return r ? r : (long)old.handler;
}

static long old_sigprocmask(struct thread *t, struct syscall_args *a)
{
    u64 set = 0, old;
    if (a->a[1] && !mem_copy_safely(&set, (void *)a->a[1], 4))
        return -E_FAULT;
    struct syscall_args k = { .nr = __NR_rt_sigprocmask, .a = { (int)a->a[0], a->a[1] ? (long)&set : 0, (long)&old, 8 } };
    long r = sig_sys_mask(t, &k);
    if (r || !a->a[2])
        return r;
    return smc_write((void *)a->a[2], &old, 4) ? 0 : -E_FAULT;
}

/* Two arguments that nobody looks at, then the mask itself. */
static long old_sigsuspend(struct thread *t, struct syscall_args *a)
{
    u64 set = (u32)a->a[2];
    struct syscall_args k = { .nr = __NR_rt_sigsuspend, .a = { (long)&set, 8 } };
    return sys_wait_with_mask(t, &k);
}

static long old_sigpending(struct thread *t, struct syscall_args *a)
{
    u64 set = 0;
    struct syscall_args k = { .nr = __NR_rt_sigpending, .a = { (long)&set, 8 } };
    long r = sys_sigpending(t, &k);
    if (r)
        return r;
    return smc_write((void *)a->a[0], &set, 4) ? 0 : -E_FAULT;
}

static long sigaltstack(struct thread *t, struct syscall_args *a)
{
    struct { u32 sp; s32 flags; u32 size; } s;
    struct k_stack next, old;
    if (a->a[0]) {
        if (!mem_copy_safely(&s, (void *)a->a[0], sizeof s))
            return -E_FAULT;
        next = (struct k_stack){ s.sp, s.flags, 0, s.size };
    }
    struct syscall_args k = { .nr = __NR_sigaltstack, .a = { a->a[0] ? (long)&next : 0, (long)&old } };
    long r = sig_sys_altstack(t, &k);
    if (r || !a->a[1])
        return r;
    s.sp = (u32)old.sp, s.flags = old.flags, s.size = (u32)old.size;
    return smc_write((void *)a->a[1], &s, sizeof s) ? 0 : -E_FAULT;
}

static long sigreturn(struct thread *t, struct syscall_args *a) { refuse(t, a, "the return from a 32-bit signal handler"); }
static long signal_info(struct thread *t, struct syscall_args *a) { refuse(t, a, "the 32-bit form of siginfo"); }
static long old_mask(struct thread *t, struct syscall_args *a) { refuse(t, a, "sgetmask or ssetmask"); }

/* ---- processes ---- */
/* The vector at `from` with pointers of 64 bits; *size: of what was allocated. */
static u64 *widen(addr_t from, size_t *size)
{
    enum { MOST = 1 << 20 };
    u32 p = 1;
    u64 n = 0;
    while (p && n < MOST && mem_copy_safely(&p, (void *)(from + 4 * n), 4))
        n++;
    if (p)
        return NULL;
    u64 *to = heap_alloc(*size = n * sizeof *to);
    for (u64 i = 0; i < n; i++)
        to[i] = mem_copy_safely(&p, (void *)(from + 4 * i), 4) ? p : 0;
    return to;
}

static long exec_with(struct thread *t, struct syscall_args *a, u32 first)
{
    u64 *v[2] = { NULL, NULL };
    size_t size[2];
    long r = 0;
    struct syscall_args k = *a;
    k.older = 0;
    for (u32 i = 0; i < 2 && !r; i++)
        if (a->a[first + i]) {
            v[i] = widen((addr_t)a->a[first + i], &size[i]);
            k.a[first + i] = (long)v[i];
            r = v[i] ? 0 : -E_FAULT;
        }
    r = r ? r : proc_sys_exec(t, &k);
    for (u32 i = 0; i < 2; i++)
        if (v[i])
            heap_free(v[i], size[i]);
    return r;
}

static long execve(struct thread *t, struct syscall_args *a) { return exec_with(t, a, 1); }
static long execveat(struct thread *t, struct syscall_args *a) { return exec_with(t, a, 2); }

enum { CLONE_SETTLS = 0x80000 };

/* flags, stack, parent's word, thread area, child's word */
static long clone(struct thread *t, struct syscall_args *a)
{
    if (a->a[0] & CLONE_SETTLS)
        refuse(t, a, "a 32-bit thread area");
    struct syscall_args k = { .nr = __NR_clone, .a = { a->a[0], a->a[1], a->a[2], a->a[4], 0 } };
    return sys_clone(t, &k);
}

static long clone3(struct thread *t, struct syscall_args *a)
{
    u64 flags;
    if (mem_copy_safely(&flags, (void *)a->a[0], sizeof flags) && flags & CLONE_SETTLS)
        refuse(t, a, "a 32-bit thread area");
    return sys_clone3(t, a);
}

static long ptrace(struct thread *t, struct syscall_args *a)
{
    enum { GETREGS = 12, GETREGSET = 0x4204 };
    if (a->a[0] == GETREGS || a->a[0] == GETREGSET)
        refuse(t, a, "the 32-bit form of registers");
    return sys_ptrace(t, a);
}

/* ---- others ---- */
/* A filter's description, if `has_filter`, is {u16, u32} instead of {u16, u64}. */
static long with_filter(struct thread *t, struct syscall_args *a, bool has_filter, syscall_fn *perform)
{
    struct { u16 n, pad; u32 code; } s;
    struct syscall_args k = *a;
    if (!has_filter || !mem_copy_safely(&s, (void *)a->a[2], sizeof s))
        return perform(t, a);
    struct bpf_program p = { .n = s.n, .code = s.code };
    k.a[2] = (long)&p;
    long r = perform(t, &k);
    return r == SYS_PASS ? syscall_kernel(t, &k) : r;
}

static long prctl(struct thread *t, struct syscall_args *a)
{
    enum { PR_SET_SECCOMP = 22, FILTER = 2 };
    return with_filter(t, a, a->a[0] == PR_SET_SECCOMP && a->a[1] == FILTER, sys_prctl);
}

static long seccomp(struct thread *t, struct syscall_args *a)
{
    enum { SET_MODE_FILTER = 1 };
    return with_filter(t, a, a->a[0] == SET_MODE_FILTER, sys_seccomp);
}

/* Descriptors may be passed on; it is not worth while to look. */
static long sendmsg(struct thread *t, struct syscall_args *a)
{
    smc_meet_relatives();
    return SYS_PASS;
}

static long socketcall(struct thread *t, struct syscall_args *a)
{
    enum { CALL_SENDMSG = 16, CALL_SENDMMSG = 20 };
    return a->a[0] == CALL_SENDMSG || a->a[0] == CALL_SENDMMSG ? sendmsg(t, a) : SYS_PASS;
}

/* ---- the table ---- */
static const struct call { u16 nr; int twin; syscall_fn *perform; } calls[] = {
    { 1, __NR_exit, NULL }, { 2, __NR_fork, NULL }, { 3, __NR_read, NULL }, { 4, __NR_write, NULL }, { 5, __NR_open, NULL },
    { 6, __NR_close, NULL }, { 11, __NR_execve, execve }, { 26, __NR_ptrace, ptrace }, { 33, __NR_access, NULL },
    { 48, NO_TWIN, old_signal }, { 63, __NR_dup2, NULL }, { 67, NO_TWIN, old_sigaction }, { 68, NO_TWIN, old_mask },
    { 69, NO_TWIN, old_mask }, { 72, NO_TWIN, old_sigsuspend }, { 73, NO_TWIN, old_sigpending }, { 82, __NR_select, NULL },
    { 85, __NR_readlink, NULL }, { 90, NO_TWIN, old_mmap }, { 91, __NR_munmap, NULL }, { 102, NO_TWIN, socketcall },
    { 117, NO_TWIN, ipc }, { 119, NO_TWIN, sigreturn }, { 120, NO_TWIN, clone }, { 125, __NR_mprotect, NULL },
    { 126, NO_TWIN, old_sigprocmask }, { 142, __NR_select, NULL }, { 145, __NR_readv, NULL }, { 146, __NR_writev, NULL },
    { 163, __NR_mremap, NULL }, { 168, __NR_poll, NULL }, { 172, __NR_prctl, prctl }, { 173, NO_TWIN, sigreturn },
    { 174, NO_TWIN, rt_sigaction }, { 175, __NR_rt_sigprocmask, NULL }, { 176, __NR_rt_sigpending, NULL },
    { 177, NO_TWIN, signal_info }, { 179, __NR_rt_sigsuspend, NULL }, { 181, __NR_pwrite64, NULL }, { 186, NO_TWIN, sigaltstack },
    { 187, __NR_sendfile, NULL }, { 190, __NR_vfork, NULL }, { MMAP2, __NR_mmap, mmap2 }, { 219, __NR_madvise, NULL },
    { 220, __NR_getdents64, NULL }, { 239, __NR_sendfile, NULL }, { 247, __NR_io_getevents, NULL }, { 252, __NR_exit_group, NULL }, { 256, __NR_epoll_wait, NULL },
    { 258, __NR_set_tid_address, NULL }, { 295, __NR_openat, NULL }, { 305, __NR_readlinkat, NULL }, { 307, __NR_faccessat, NULL },
    { 308, __NR_pselect6, NULL }, { 309, __NR_ppoll, NULL }, { 319, __NR_epoll_pwait, NULL }, { 321, __NR_signalfd, NULL },
    { 327, __NR_signalfd4, NULL }, { 330, __NR_dup3, NULL }, { 334, __NR_pwritev, NULL }, { 345, NO_TWIN, sendmsg },
    { 348, __NR_process_vm_writev, NULL }, { 354, __NR_seccomp, seccomp }, { 356, __NR_memfd_create, NULL },
    { 358, __NR_execveat, execveat }, { 370, NO_TWIN, sendmsg }, { 379, __NR_pwritev2, NULL }, { 380, __NR_pkey_mprotect, NULL },
    { 383, __NR_statx, NULL }, { 385, __NR_io_pgetevents, NULL }, { 386, __NR_rseq, NULL }, { SHMAT, __NR_shmat, NULL },
    { SHMDT, __NR_shmdt, NULL }, { 413, __NR_pselect6, NULL }, { 414, __NR_ppoll, NULL }, { 416, __NR_io_pgetevents, NULL },
    { 421, NO_TWIN, signal_info }, { 425, __NR_io_uring_setup, NULL }, { 426, __NR_io_uring_enter, NULL },
    { 427, __NR_io_uring_register, NULL }, { 435, __NR_clone3, clone3 }, { 436, __NR_close_range, NULL },
    { 437, __NR_openat2, NULL }, { 439, __NR_faccessat2, NULL }, { 441, __NR_epoll_pwait2, NULL },
};

bool x86_int80_works(void);

static struct call find(u32 nr)
{
    for (u32 i = 0; i < ARRAY_LEN(calls); i++)
        if (calls[i].nr == nr)
            return calls[i];
    return (struct call){ 0, NO_TWIN, NULL };
}

/* Kernels may be built or started without. */
static bool has_table(void)
{
    enum { UNKNOWN, HAS_NONE, HAS_ONE };
    static u32 known;
    if (known == UNKNOWN)
        known = x86_int80_works() ? HAS_ONE : HAS_NONE;
    return known == HAS_ONE;
}

enum emulate_result x86_int80(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    if (!has_table())
        return EMULATE_SIGNAL;                    /* the one that *out says already: a protection fault */
    const u64 *g = t->arch.regs.gpr;
    u32 nr = (u32)g[RAX];
    struct call c = find(nr);
    t->arch.is_older_call = true;
    out->sys = (struct syscall_args){ c.twin, { (u32)g[RBX], (u32)g[RCX], (u32)g[RDX], (u32)g[RSI], (u32)g[RDI], (u32)g[RBP] },
                                      1 + (u64)nr, c.perform };
    return EMULATE_SYSCALL;
}

/* ---- to the kernel ---- */
static bool has_wide_argument(const struct syscall_args *a)
{
    for (u32 i = 0; i < ARRAY_LEN(a->a); i++)
        if ((u64)a->a[i] >> 32)
            return true;
    return false;
}

long x86_syscall(const struct syscall_args *a);
long x86_int80_call(const struct syscall_args *a, u32 nr);

long x86_older_call(const struct syscall_args *a)
{
    struct syscall_args k = *a;
    if (a->older == 1 + MMAP2)
        k.a[5] = (long)((u64)k.a[5] / PAGE_SIZE);
    return has_wide_argument(&k) ? x86_syscall(a) : x86_int80_call(&k, (u32)(a->older - 1));
}

u32 arch_sys_audit(const struct arch_thread *t)
{
    enum { AUDIT_32 = 0x40000003 };
    return t->is_older_call ? AUDIT_32 : (u32)ARCH_AUDIT;
}
