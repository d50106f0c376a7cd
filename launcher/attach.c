/* attach.c: take over a running process.
 *
 *     launcher                                   target
 *     stop one thread, make it map memory and
 *     clone the helper, let it go                helper: the tool's main(), image callbacks; all threads run natively
 *     wait until it is ready
 *     stop all threads, list them                helper: makes an engine thread of each
 *     give each its new registers                helper: installs the engine's signal handlers
 *     let them go                                threads run under the engine; the helper ends
 *
 *  (1) Whatever the helper does until it is ready concerns the helper alone: when it fails or ends, it ends as a thread, and
 *      its memory is unmapped.
 *  (2) Whatever moment this process is killed at, each thread goes on by itself, natively or in the engine, and all of them
 *      in the same: see borrow.h for the calls that they make for us, and switch_all for the rest.
 *  (3) No descriptor of the target is used: the tool's ELF is written into anonymous memory. So it does not matter whether
 *      the target sees the same files. */
#include "launcher/attach.h"
#include "launcher/say.h"
#include "launcher/stack.h"
#include "launcher/steps.h"
#include "base/types.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STOP_MS = 2000, VFORK_TRIES = 4, DEAF_MS = 3000, RSEQ_UNREGISTER = 1, POLL_US = 100 };

struct attaching {
    struct launch *l;
    struct tracees all;
    struct placement at;
    struct stack_plan plan;
    uint64_t threads, end;              /* struct handoff_thread[]; end of what is mapped first */
    struct handoff_thread *record;
    int64_t began, planted, ready;      /* times, for -v */
    pid_t helper;                       /* 0: none, or it has ended */
    bool is_mapped;
    bool has_executed;                  /* the process has replaced its program meanwhile */
};

/* ---- failing: everything as it was ---- */
/* At a moment when all that it has mapped is on record. False: it has ended. */
static bool stop_helper(struct attaching *a)
{
    uint32_t is_mapping = 0;
    while (tracee_interrupt(a->helper, STOP_MS)) {
        remote_read(a->all.pid, a->at.handoff + offsetof(struct handoff, is_mapping), &is_mapping, sizeof is_mapping);
        if (!is_mapping)
            return true;
        ptrace(PTRACE_CONT, a->helper, 0, 0);
        nap_us(POLL_US);
    }
    return false;
}

static bool end_helper(struct attaching *a)
{
    struct remote r = {0};
    if (!a->helper)
        return true;
    bool is_over = !stop_helper(a) || !remote_begin_in(&r, a->helper, a->all.vdso);
    if (!is_over) {
        struct handoff_regs regs = r.regs;
        regs.rip = r.syscall_at;
        regs.rax = SYS_exit;
        regs.rdi = 0;
        regs.orig_rax = ~0ull;
        ptrace(PTRACE_SETREGS, a->helper, 0, &regs);
        ptrace(PTRACE_CONT, a->helper, 0, 0);
        while (tracee_wait(a->helper, STOP_MS) > 0)
            ptrace(PTRACE_CONT, a->helper, 0, 0);
    }
    a->helper = 0;
    return true;
}

static bool read_auxv(struct attaching *a)
{
    memset(a->plan.auxv, 0, sizeof a->plan.auxv);
    bool ok = target_read_auxv(a->all.pid, a->plan.auxv, sizeof a->plan.auxv);
    a->all.vdso = auxv_get(a->plan.auxv, AT_SYSINFO_EHDR);
    return ok;
}

/* An exec takes everything away that was planted. Whatever goes wrong then has that cause. */
static bool has_executed(struct attaching *a) { return a->is_mapped && !target_is_under_cotter(a->all.pid); }

/* The program, and with it the place of the vdso, may have changed until the stop, but not from then on. */
static enum stop_result stop_any(struct attaching *a, struct tracee **t)
{
    pid_t who;
    for (int i = 0; i < a->all.n; i++)
        if ((*t = &a->all.list[i])->is_stopped)
            return STOP_DONE;
    enum stop_result r = tracees_stop_one(&a->all, STOP_MS, &who);
    *t = a->all.n ? &a->all.list[a->all.n - 1] : NULL;
    return r != STOP_DONE || (read_auxv(a) && remote_find_syscall(&(*t)->at, a->all.vdso)) ? r : STOP_GONE;
}

static void unmap_all(struct attaching *a)
{
    struct handoff *h = &a->l->handoff;
    struct tracee *t;
    if (stop_any(a, &t) != STOP_DONE || has_executed(a))
        return;
    remote_read(a->all.pid, a->at.handoff, h, sizeof *h);
    if (h->tables_hi)
        REMOTE_CALL(&t->at, SYS_munmap, h->tables_lo, h->tables_hi - h->tables_lo);
    REMOTE_CALL(&t->at, SYS_munmap, PRIV_LO, PRIV_HI - PRIV_LO);
}

static bool give_up(struct attaching *a)
{
    if (a->is_mapped)
        unmap_all(a);
    tracees_release(&a->all);
    return false;
}

/* In the middle of an exec no thread can be stopped, and memory can be neither read nor written: look again afterwards. */
static bool lost_to_exec(struct attaching *a)
{
    enum { TRIES = 200, NAP_US = 1000 };
    struct tracee *t;
    for (int i = 0; a->is_mapped && i < TRIES && remote_is_alive(a->all.pid, remote_face(a->all.pid)); i++, nap_us(NAP_US))
        if (stop_any(a, &t) == STOP_DONE)
            return has_executed(a);
    return false;
}

static bool refuse(struct attaching *a, const char *why, long raw)
{
    end_helper(a);
    if (lost_to_exec(a)) {
        a->is_mapped = false;
        a->has_executed = true;
        return give_up(a);
    }
    if (!remote_is_alive(a->all.pid, remote_face(a->all.pid)))
        say("process %d has ended", a->all.pid);
    else
        say("cannot attach to %d: %s%s%s", a->all.pid, why, raw < 0 ? ": " : "", raw < 0 ? strerror((int)-raw) : "");
    return give_up(a);
}

/* ---- memory ---- */
static bool put(struct attaching *a, uint64_t to, const void *from, size_t size)
{
    struct remote r = {.pid = a->all.pid};
    return remote_write(&r, to, from, size);
}

static bool put_image(struct attaching *a)
{
    const struct tool *t = &a->l->tool;
    for (int i = 0; i < t->header.e_phnum; i++) {
        const Elf64_Phdr *ph = &t->phdr[i];
        if (ph->p_type != PT_LOAD || !ph->p_filesz)
            continue;
        void *bytes = malloc(ph->p_filesz);
        bool ok = bytes && pread(t->fd, bytes, ph->p_filesz, (off_t)ph->p_offset) == (ssize_t)ph->p_filesz &&
                  put(a, a->at.image + ph->p_vaddr, bytes, ph->p_filesz);
        free(bytes);
        if (!ok)
            return false;
    }
    return true;
}

static uint64_t put_stack(struct attaching *a)
{
    struct stack_image image;
    launch_plan_stack(a->l, &a->at, &a->plan);
    return stack_build(&a->plan, &image) && put(a, image.sp, image.bytes, image.size) ? image.sp : 0;
}

static bool put_handoff(struct attaching *a)
{
    struct handoff *h = &a->l->handoff;
    h->mode = HANDOFF_ATTACH;
    h->threads = a->threads;
    h->max_threads = HANDOFF_MAX_THREADS;
    launch_fill_handoff(a->l, &a->at, &a->plan);
    return put(a, a->at.handoff, h, sizeof *h);
}

/* The segments get their protection, the rest loses its permission to execute. */
static bool put_steps(struct attaching *a, uint64_t stack)
{
    static struct steps steps;
    const struct tool *t = &a->l->tool;
    memset(&steps, 0, sizeof steps);
    STEPS_CALL(&steps, SYS_mprotect, 0, a->at.image, a->end - a->at.image, PROT_READ | PROT_WRITE);
    for (int i = 0; i < t->header.e_phnum; i++) {
        const Elf64_Phdr *ph = &t->phdr[i];
        uint64_t lo = a->at.image + ROUND_DOWN(ph->p_vaddr, PAGE_SIZE);
        if (ph->p_type == PT_LOAD && !(ph->p_flags & PF_W))
            STEPS_CALL(&steps, SYS_mprotect, 0, lo, a->at.image + ROUND_UP(ph->p_vaddr + ph->p_memsz, PAGE_SIZE) - lo,
                       PROT_READ | (ph->p_flags & PF_X ? PROT_EXEC : 0u));
    }
    STEPS_CALL(&steps, SYS_mprotect, 0, a->at.base, a->at.steps - a->at.base, PROT_READ | PROT_WRITE);
    STEPS_CALL(&steps, SYS_mprotect, 0, a->threads, a->end - a->threads, PROT_READ | PROT_WRITE | PROT_EXEC);   /* `leave` */
    steps_finish(&steps, a->at.image + t->header.e_entry, stack);
    return put(a, a->at.steps, &steps, sizeof steps);
}

static long map_first(struct attaching *a, struct tracee *t)
{
    launch_place(a->l, &a->at);
    a->threads = a->at.end + PAGE_SIZE;
    a->end = ROUND_UP(a->threads + HANDOFF_MAX_THREADS * sizeof(struct handoff_thread), PAGE_SIZE);
    long raw = REMOTE_CALL(&t->at, SYS_mmap, a->at.base, a->end - a->at.base, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ~0ull, 0);
    a->is_mapped = raw == (long)a->at.base;
    return a->is_mapped ? 0 : raw < 0 ? raw : -EEXIST;
}

/* ---- the helper ---- */
static bool start_helper(struct attaching *a, struct tracee *t, uint64_t stack)
{
    enum { FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM };
    ptrace(PTRACE_SETOPTIONS, t->tid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE);
    long tid = REMOTE_CALL(&t->at, SYS_clone, FLAGS, stack, 0, 0, 0);
    ptrace(PTRACE_SETOPTIONS, t->tid, 0, PTRACE_O_TRACESYSGOOD);
    if (tid <= 0)
        return false;
    a->helper = remote_tid(a->all.pid, (pid_t)tid);
    struct handoff_regs regs;
    setpriority(PRIO_PROCESS, (id_t)a->helper, -20);         /* threads will wait for it; not every user may */
    if (tracee_wait(a->helper, STOP_MS) <= 0 || ptrace(PTRACE_GETREGS, a->helper, 0, &regs))
        return false;
    regs.rip = a->at.steps + offsetof(struct steps, code);
    regs.rbx = a->at.steps + offsetof(struct steps, list);
    regs.rsp = stack;
    regs.orig_rax = ~0ull;
    regs.fs_base = regs.gs_base = 0;
    return !ptrace(PTRACE_SETREGS, a->helper, 0, &regs) && !ptrace(PTRACE_SETOPTIONS, a->helper, 0, PTRACE_O_TRACESYSGOOD);
}

/* It, or a copy of it: the tool's libc has its own. */
static bool is_stderr(struct attaching *a, uint64_t fd)
{
    char path[64], one[256], two[256];
    if (fd == STDERR_FILENO)
        return true;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", a->all.pid, (int)fd);
    ssize_t n = readlink(path, one, sizeof one);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", a->all.pid, STDERR_FILENO);
    return n > 0 && n == readlink(path, two, sizeof two) && !memcmp(one, two, (size_t)n) && memcmp(one, "/dev/null", 9);
}

/* What it prints while it starts is meant for the user of this command. */
static void take_words(struct attaching *a, struct handoff_regs *r)
{
    char text[2048];
    size_t n = MIN(r->rdx, sizeof text);
    if (!remote_read(a->all.pid, r->rsi, text, n))
        return;
    if (write(STDERR_FILENO, text, n) < 0)
        return;
    r->orig_rax = ~0ull;
    r->rax = n;
    ptrace(PTRACE_SETREGS, a->helper, 0, r);
}

/* A tool that ends the process before the program has been taken over ends itself. */
static void look_at_call(struct attaching *a, bool is_entry)
{
    static bool has_words;
    struct handoff_regs r;
    if (ptrace(PTRACE_GETREGS, a->helper, 0, &r))
        return;
    if (!is_entry && has_words) {
        has_words = false;
        r.rax = r.rdx;
        ptrace(PTRACE_SETREGS, a->helper, 0, &r);
    } else if (is_entry && r.orig_rax == SYS_exit_group) {
        r.orig_rax = SYS_exit;
        ptrace(PTRACE_SETREGS, a->helper, 0, &r);
    } else if (is_entry && r.orig_rax == SYS_write && is_stderr(a, r.rdi)) {
        take_words(a, &r);
        has_words = true;
    }
}

static uint32_t state_of(struct attaching *a)
{
    uint32_t state = ATTACH_FAILED;
    remote_read(a->all.pid, a->at.handoff + offsetof(struct handoff, attach_state), &state, sizeof state);
    return state;
}

static bool set_state(struct attaching *a, uint32_t state)
{
    return put(a, a->at.handoff + offsetof(struct handoff, attach_state), &state, sizeof state);
}

/* The signal that it is about to get would end the whole process. It comes to another stop before it runs again. */
static void swallow_signal(struct attaching *a)
{
    ptrace(PTRACE_INTERRUPT, a->helper, 0, 0);
    ptrace(PTRACE_CONT, a->helper, 0, 0);
}

/* The tool's main() takes as long as it takes. False: it has ended. */
static bool watch_helper(struct attaching *a)
{
    bool is_entry = true;
    ptrace(PTRACE_SYSCALL, a->helper, 0, 0);
    while (state_of(a) != ATTACH_READY && state_of(a) != ATTACH_NATIVE && !command_is_gone()) {
        int status = tracee_wait(a->helper, 1);
        tracees_serve(&a->all);
        if (!status)
            continue;
        if (status < 0) {
            a->helper = 0;
            return false;
        }
        int sig = WSTOPSIG(status), event = status >> 16;
        if (sig == (SIGTRAP | 0x80)) {
            look_at_call(a, is_entry);
            is_entry = !is_entry;
        } else if (!event && (sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGABRT)) {
            say("the tool failed: signal %d", sig);
            swallow_signal(a);
            return false;
        }
        ptrace(PTRACE_SYSCALL, a->helper, 0, 0);
    }
    /* From now on it sleeps and looks, on its own. */
    bool stopped = tracee_interrupt(a->helper, STOP_MS);
    if (stopped)
        ptrace(PTRACE_CONT, a->helper, 0, 0);
    return stopped && !command_is_gone();
}

static bool wait_for(struct attaching *a, uint32_t state)
{
    while (state_of(a) != state) {
        int status;
        pid_t r = waitpid(a->helper, &status, __WALL | WNOHANG);
        if (r < 0 || (r == a->helper && !WIFSTOPPED(status))) {
            a->helper = 0;
            return state_of(a) == state;
        }
        if (r == a->helper && status >> 16 == 0 && WSTOPSIG(status) != (SIGTRAP | 0x80)) {
            swallow_signal(a);
            return false;
        }
        if (r == a->helper)
            ptrace(PTRACE_CONT, a->helper, 0, 0);
        nap_us(POLL_US);
    }
    return true;
}

/* ---- the threads ---- */
static bool stop_all(struct attaching *a)
{
    pid_t who = 0;
    for (int i = 0; i < VFORK_TRIES; i++) {
        enum stop_result r = tracees_stop(&a->all, a->helper, STOP_MS, &who);
        if (r == STOP_DONE) {
            hurry(a->helper);
            return true;
        }
        if (r == STOP_GONE)
            return refuse(a, "it has no threads left", 0);
        if (r == STOP_REFUSED)
            return refuse(a, "a thread cannot be stopped", -errno);
        tracees_release(&a->all);
        tracees_await(&a->all, DEAF_MS);                    /* when it hears again it stands, and the others are stopped next */
    }
    char why[128];
    snprintf(why, sizeof why, "its thread %d does not stop (does it wait for a vfork child, or for a device?); try again later", who);
    return refuse(a, why, 0);
}

/* A call that had not begun to do anything, and is made again in any case (clone, fork, exec): not by the kernel, which would do it
 * where the engine's own instruction stands, but by the engine, when the thread comes to its own instruction again. */
static void rewind_call(struct tracee *t)
{
    enum { RESTARTNOINTR = -513, SYSCALL_LEN = 2 };
    struct handoff_regs *r = &t->at.regs;
    if (!t->in_call || (int64_t)r->rax != RESTARTNOINTR)
        return;
    r->rax = r->orig_rax;
    r->rip -= SYSCALL_LEN;
    r->orig_rax = ~0ull;
    t->in_call = false;
}

/* ---- the switch: whenever this process dies, all threads are native in the end, or all are the engine's ---- */
static void list_thread(struct attaching *a, struct tracee *t, struct handoff_thread *r)
{
    struct __ptrace_rseq_configuration c = {0};
    ptrace(PTRACE_GET_RSEQ_CONFIGURATION, t->tid, sizeof c, &c);
    struct borrow_home home = borrow_home_of(&t->at.regs, t->at.mask);
    *r = (struct handoff_thread){.tid = local_tid(a->all.pid, t->tid), .regs = t->at.regs, .mask = t->at.mask,
                                 .in_call = t->in_call, .rseq_at = c.rseq_abi_pointer, .rseq_size = c.rseq_abi_size,
                                 .rseq_signature = c.signature, .home_rax = home.rax, .home_pc = home.pc, .home_rbx = t->at.regs.rbx,
                                 .altstack = {0, 0, HANDOFF_UNKNOWN}};
}

static bool list_all(struct attaching *a)
{
    uint32_t n = (uint32_t)a->all.n;
    if (n > HANDOFF_MAX_THREADS)
        return refuse(a, "it has too many threads", 0);
    a->record = calloc(n, sizeof *a->record);
    for (uint32_t i = 0; i < n; i++)
        rewind_call(&a->all.list[i]);
    for (uint32_t i = 0; i < n; i++)
        list_thread(a, &a->all.list[i], &a->record[i]);
    if (!put(a, a->threads, a->record, n * sizeof *a->record) ||
        !put(a, a->at.handoff + offsetof(struct handoff, n_threads), &n, sizeof n) || !set_state(a, ATTACH_LISTED))
        return refuse(a, "its memory cannot be written", -errno);
    if (!wait_for(a, ATTACH_PREPARED) || !remote_read(a->all.pid, a->threads, a->record, n * sizeof *a->record))
        return refuse(a, "the engine failed", 0);
    return remote_read(a->all.pid, a->at.handoff, &a->l->handoff, sizeof a->l->handoff) ||
           refuse(a, "its memory cannot be read", -errno);
}

static uint64_t record_at(const struct attaching *a, int i) { return a->threads + (uint64_t)i * sizeof *a->record; }

/* At the gate: native, but for the pc and the register that tells it who it is. It waits there for the helper's word, and goes
 * on natively if that is no. Registers, then mask: the gate blocks all signals itself. */
static void gate_registers(const struct attaching *a, int i, struct handoff_regs *to)
{
    *to = a->all.list[i].at.regs;
    to->rip = a->l->handoff.gate;
    to->rbx = record_at(a, i);
    to->orig_rax = ~0ull;
}

static void send_to_gate(struct attaching *a, int i)
{
    uint64_t all = ~0ull;
    struct handoff_regs to;
    pid_t tid = a->all.list[i].tid;
    gate_registers(a, i, &to);
    if (!ptrace(PTRACE_SETREGS, tid, 0, &to))
        ptrace(PTRACE_SETSIGMASK, tid, sizeof all, &all);
}

static void enter_registers(const struct attaching *a, int i, struct handoff_regs *to)
{
    const struct handoff_regs *now = &a->all.list[i].at.regs;
    *to = a->record[i].enter;
    to->cs = now->cs, to->ss = now->ss, to->ds = now->ds, to->es = now->es;
}

/* A thread in a system call stays in it, and does not come through the gate. Alternate stack and restartable sequences are the
 * kernel's, per thread: only the thread itself can change them. From the gate it gets to `again`, which makes the call anew
 * with the right mask, and from there into the call. Each of the three is a place to go on from. */
static void enter_in_call(struct attaching *a, int i)
{
    struct tracee *t = &a->all.list[i];
    struct handoff_thread *r = &a->record[i];
    struct handoff_regs to;
    uint64_t at = record_at(a, i);
    gate_registers(a, i, &to);
    to.rsp = r->enter.rsp;                                  /* not on the stack that is about to change */
    remote_lend(&t->at, &to, ~0ull);
    REMOTE_CALL(&t->at, SYS_sigaltstack, at + offsetof(struct handoff_thread, new_altstack),
                at + offsetof(struct handoff_thread, altstack));
    if (r->rseq_at)
        REMOTE_CALL(&t->at, SYS_rseq, r->rseq_at, r->rseq_size, RSEQ_UNREGISTER, r->rseq_signature);
    enter_registers(a, i, &to);
    to.rip = a->l->handoff.again;
    to.rbx = at;
    to.orig_rax = ~0ull;
    ptrace(PTRACE_SETREGS, t->tid, 0, &to);
    enter_registers(a, i, &to);
    incall_shorten(&t->call, &to, a->all.pid, t->tid, at + offsetof(struct handoff_thread, room));
    remote_settle(&t->at, &to, r->enter_mask);
}

/* A thread that was killed meanwhile takes the whole process with it: nothing to mend. */
static void switch_all(struct attaching *a)
{
    for (int i = 0; i < a->all.n; i++)
        send_to_gate(a, i);
    set_state(a, ATTACH_SWITCHED);                          /* from here on there is no way back */
    wait_for(a, ATTACH_INSTALLED);
    for (int i = 0; i < a->all.n; i++)
        if (a->all.list[i].in_call)
            enter_in_call(a, i);
    tracees_let_go(&a->all);
    if (a->helper)
        while (tracee_wait(a->helper, STOP_MS) > 0)
            ptrace(PTRACE_CONT, a->helper, 0, 0);
}

static struct tracee *stop_one(struct attaching *a)
{
    struct tracee *t;
    enum stop_result r = stop_any(a, &t);
    if (r == STOP_REFUSED && !a->is_mapped)
        target_explain_refusal(a->all.pid, errno);
    if (r == STOP_DONE && !has_executed(a))
        return t;
    a->has_executed = r == STOP_GONE && remote_is_alive(a->all.pid, remote_face(a->all.pid));   /* caught in the middle of it */
    if (a->has_executed)
        give_up(a);
    else
        refuse(a, "no thread of it comes to a stop", 0);
    return NULL;
}

/* Two short stops of one thread, to get memory and to get a thread; what takes time is done in between. */
static bool plant_helper(struct attaching *a)
{
    struct tracee *t = stop_one(a);
    if (!t)
        return false;
    long raw = map_first(a, t);
    if (raw)
        return refuse(a, "its private address range cannot be mapped", raw);
    tracees_release(&a->all);
    uint64_t stack = put_handoff(a) ? put_stack(a) : 0;         /* in this order: it changes the vector that the first reads */
    if (!stack || !put_image(a) || !put_steps(a, stack))
        return refuse(a, "its memory cannot be written", -errno);
    if (!(t = stop_one(a)))
        return false;
    if (!start_helper(a, t, stack))
        return refuse(a, "no thread can be started in it", 0);
    tracees_release(&a->all);
    return true;
}

/* Probe mode: its probes are placed, and it does nothing any more but to end. */
static bool let_helper_end(struct attaching *a)
{
    if (a->helper)
        ptrace(PTRACE_DETACH, a->helper, 0, 0);
    if (a->l->options->engine.verbose)
        say("attached to %d: it runs natively, with probes", a->all.pid);
    return true;
}

static bool attempt(struct attaching *a, struct launch *l)
{
    a->l = l;
    detach_clean(l->options->pid);
    target_examine(l, &a->all);
    read_auxv(a);
    a->began = now_us();
    if (!plant_helper(a))
        return false;
    a->planted = now_us();
    bool is_there = watch_helper(a);
    if (state_of(a) == ATTACH_NATIVE)
        return let_helper_end(a);
    if (!is_there)
        return refuse(a, "the tool ended before it started the program", 0);
    a->ready = now_us();
    if (!stop_all(a) || (has_executed(a) && !refuse(a, "", 0)) || !list_all(a))
        return false;
    uint32_t n = (uint32_t)a->all.n;
    switch_all(a);
    if (l->options->engine.verbose)
        say("attached to %d: %u threads stood still for %ld us; before that: planting %ld us, the tool %ld us", a->all.pid, n,
            (long)(now_us() - a->all.stopped_us), (long)(a->planted - a->began), (long)(a->ready - a->planted));
    return true;
}

/* A process that executes another program meanwhile is taken over with that. */
bool attach_perform(struct launch *l)
{
    enum { TRIES = 20 };
    static struct handoff first;
    first = l->handoff;
    if (!turn_take(l->options->pid))
        return false;
    for (int i = 0; i < TRIES; i++) {
        struct attaching a = {0};
        l->handoff = first;
        if (attempt(&a, l))
            return true;
        if (!a.has_executed)
            return false;
    }
    say("cannot attach to %d: it executes one program after the other; try again", l->options->pid);
    return false;
}
