/* detach.c: give a process back.
 *
 * The engine inside does its part first: a thread that is made for it, the ferry, stops the threads of the application and
 * brings each to a place that it can leave from (engine/emulate/detach.c). Then all threads are stopped here, and while none
 * of them runs, the kernel gets back what the engine had changed, the private memory goes, and each thread gets the registers
 * it would have natively. */
#include "launcher/attach.h"
#include "launcher/say.h"
#include "launcher/stack.h"
#include "base/types.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STOP_MS = 2000, SWEEP_MS = 10000, IN_TOOL_MS = 3000, POLL_US = 100, SYSCALL_LEN = 2, N_SIGNALS = 64, ACTION_SIZE = 32 };

struct detaching {
    struct tracees all;
    struct handoff h;
    uint64_t at;                        /* of the record in the target */
    struct handoff_thread *record;
    pid_t ferry;                        /* traced by us; 0: it has ended */
};

static bool refuse(struct detaching *d, const char *why)
{
    if (kill(d->all.pid, 0) && errno == ESRCH)
        say("process %d has ended", d->all.pid);
    else
        say("cannot detach from %d: %s", d->all.pid, why);
    tracees_release(&d->all);
    return false;
}

static bool refuse_stop(struct detaching *d, pid_t who)
{
    char why[64];
    snprintf(why, sizeof why, "its thread %d does not come to a stop", who);
    return refuse(d, who ? why : "its threads do not come to a stop");
}

/* The record begins a page, behind the first stack. */
static bool find_handoff(struct detaching *d)
{
    enum { PAGES = 4096 };
    uint64_t magic;
    d->at = 0;
    for (uint64_t at = PRIV_LO + HANDOFF_STACK_SIZE; at < PRIV_LO + HANDOFF_STACK_SIZE + PAGES * PAGE_SIZE; at += PAGE_SIZE) {
        if (!remote_read(d->all.pid, at, &magic, sizeof magic))
            break;
        if (magic == HANDOFF_MAGIC) {
            d->at = at;
            return remote_read(d->all.pid, at, &d->h, sizeof d->h) && d->h.version == HANDOFF_VERSION;
        }
    }
    return false;
}

bool target_is_native(pid_t pid)
{
    static struct detaching d;
    d.all.pid = pid;
    return find_handoff(&d) && d.h.is_native;
}

static uint32_t state_of(struct detaching *d)
{
    uint32_t state = DETACH_NONE;
    remote_read(d->all.pid, d->at + offsetof(struct handoff, detach_state), &state, sizeof state);
    return state;
}

/* ---- the ferry: it stays traced, so that it sees when this process dies ---- */
static bool start_ferry(struct detaching *d, struct tracee *t)
{
    enum { FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM };
    struct handoff_regs now, to = d->h.ferry;
    ptrace(PTRACE_SETOPTIONS, t->tid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE);
    long tid = REMOTE_CALL(&t->at, SYS_clone, FLAGS, to.rsp, 0, 0, 0);
    ptrace(PTRACE_SETOPTIONS, t->tid, 0, PTRACE_O_TRACESYSGOOD);
    pid_t ferry = tid > 0 ? remote_tid(d->all.pid, (pid_t)tid) : 0;
    if (ferry)
        setpriority(PRIO_PROCESS, (id_t)ferry, -20);
    if (!ferry || tracee_wait(ferry, STOP_MS) <= 0 || ptrace(PTRACE_GETREGS, ferry, 0, &now))
        return false;
    to.cs = now.cs, to.ss = now.ss, to.ds = now.ds, to.es = now.es, to.fs = now.fs, to.gs = now.gs;
    if (ptrace(PTRACE_SETREGS, ferry, 0, &to) || ptrace(PTRACE_SETOPTIONS, ferry, 0, 0))
        return false;
    d->ferry = ferry;                   /* it goes on when no other thread is traced: it may want to stop them itself */
    return true;
}

/* What comes to it is its own. */
static void serve_ferry(struct detaching *d)
{
    int status;
    pid_t r = d->ferry ? waitpid(d->ferry, &status, __WALL | WNOHANG) : 0;
    if (r < 0 || (r > 0 && !WIFSTOPPED(status)))
        d->ferry = 0;
    else if (r > 0)
        ptrace(PTRACE_CONT, d->ferry, 0, status >> 16 ? 0 : WSTOPSIG(status));
}

/* Until a thread has been stopped the process may have executed another program, which is native. */
static bool has_executed(struct detaching *d)
{
    Elf64_auxv_t auxv[AUXV_MAX] = {0};
    return !target_read_auxv(d->all.pid, auxv, sizeof auxv) || auxv_get(auxv, AT_SYSINFO_EHDR) != d->all.vdso ||
           !target_is_under_cotter(d->all.pid);
}

/* The engine fills in what a ferry needs when all else is there. */
static bool is_ready(struct detaching *d)
{
    return remote_read(d->all.pid, d->at, &d->h, sizeof d->h) && (d->h.is_native ? d->h.may_leave != 0 : d->h.actions != 0);
}

static bool send_ferry(struct detaching *d)
{
    pid_t who;
    enum stop_result r = tracees_stop_one(&d->all, STOP_MS, &who);
    if (r == STOP_REFUSED)
        target_explain_refusal(d->all.pid, errno);
    if (r != STOP_DONE)
        return refuse(d, "no thread of it comes to a stop");
    if (has_executed(d))
        return refuse(d, "it is no longer under Cotter");
    if (!is_ready(d)) {
        tracees_release(&d->all);
        return refuse(d, "it is being started: try again");
    }
    if (state_of(d) == DETACH_NONE && !start_ferry(d, &d->all.list[d->all.n - 1]))
        return refuse(d, "no thread can be started in it");
    tracees_release(&d->all);
    if (d->ferry)
        ptrace(PTRACE_CONT, d->ferry, 0, 0);
    return true;
}

/* Somebody else's: of the tool, which asked for the detach, or of a launcher that was killed. */
static bool have_ferry(struct detaching *d)
{
    pid_t ferry = remote_tid(d->all.pid, d->h.ferry_tid);
    serve_ferry(d);
    if (!d->ferry && ferry && !ptrace(PTRACE_SEIZE, ferry, 0, 0))
        d->ferry = ferry;
    return d->ferry != 0;
}

/* As long as the tool takes for its last words. False: it has left by itself, or has ended. */
static bool wait_until(struct detaching *d, uint32_t wanted)
{
    for (uint32_t state; (state = state_of(d)) != wanted; nap_us(POLL_US)) {
        tracees_serve(&d->all);
        serve_ferry(d);
        if (state == DETACH_ALONE || kill(d->all.pid, 0) || !target_is_under_cotter(d->all.pid))
            return false;
    }
    return true;
}

static bool set_state(struct detaching *d, uint32_t state)
{
    struct remote r = {.pid = d->all.pid};
    return remote_write(&r, d->at + offsetof(struct handoff, detach_state), &state, sizeof state);
}

/* ---- the threads ---- */
static struct handoff_thread *record_of(struct detaching *d, pid_t tid)
{
    pid_t inner = local_tid(d->all.pid, tid);
    for (uint32_t i = 0; i < d->h.n_threads; i++)
        if (d->record[i].tid == inner)
            return &d->record[i];
    return NULL;
}

/* The engine's code that makes the call which a thread is in, or about to make. NULL: it is elsewhere. */
static const struct handoff_window *window_of(const struct detaching *d, uint64_t pc)
{
    for (const struct handoff_window *w = d->h.calls; w < d->h.calls + HANDOFF_WINDOWS; w++)
        if (pc >= w->lo && pc <= w->hi + SYSCALL_LEN)
            return w;
    return NULL;
}

/* A thread of the tool's own ends here. */
static void end_thread(struct tracee *t)
{
    struct handoff_regs to = t->at.regs;
    to.rip = t->at.syscall_at;
    to.rax = SYS_exit;
    to.rdi = 0;
    to.orig_rax = ~0ull;
    ptrace(PTRACE_SETREGS, t->tid, 0, &to);
    ptrace(PTRACE_DETACH, t->tid, 0, 0);
}

enum verdict { MAY_LEAVE, NOT_YET, ENDS };

static enum verdict judge(struct detaching *d, struct tracee *t, int round)
{
    enum { GRACE = 20 };
    struct handoff_thread *r = record_of(d, t->tid);
    if (!r)
        return round < GRACE ? NOT_YET : ENDS;
    if (r->place == PLACE_PARKED || window_of(d, t->at.regs.rip))
        return MAY_LEAVE;
    return NOT_YET;
}

/* Stop everybody; whoever is still on the way goes on a little. */
static bool gather(struct detaching *d)
{
    size_t size = d->h.n_threads * sizeof *d->record;
    for (int round = 0;; round++) {
        pid_t who;
        bool all = true;
        if (tracees_stop(&d->all, d->ferry, STOP_MS, &who) != STOP_DONE)
            return refuse_stop(d, who);
        if (!remote_read(d->all.pid, d->h.threads, d->record, size))
            return refuse(d, "its memory cannot be read");
        if (has_executed(d) || state_of(d) != DETACH_READY)
            return refuse(d, "its threads have left already");
        for (int i = 0; i < d->all.n; i++)
            switch (judge(d, &d->all.list[i], round)) {
            case MAY_LEAVE: break;
            case ENDS: end_thread(&d->all.list[i]); tracees_forget(&d->all, i--); all = false; break;
            case NOT_YET: tracees_resume(&d->all, i); all = false; break;
            }
        if (all)
            return true;
        nap_us(POLL_US);
    }
}

/* In the kernel: the same call goes on, at the application's own instruction. Before it: it will be made there. */
static void native_registers(const struct detaching *d, const struct tracee *t, const struct handoff_thread *r, struct handoff_regs *to)
{
    const struct handoff_regs *now = &t->at.regs;
    *to = r->regs;
    to->cs = now->cs, to->ss = now->ss, to->ds = now->ds, to->es = now->es;
    if (r->place == PLACE_PARKED)
        return;
    to->rax = now->rax;
    if (t->in_call)
        to->orig_rax = now->orig_rax;
    else if (now->rip <= window_of(d, now->rip)->hi)
        to->rip -= SYSCALL_LEN;
}

/* The engine may have made a call of the other kind in the place of the application's: then the application makes its own. */
static void make_own_call(const struct detaching *d, struct tracee *t, const struct handoff_thread *r)
{
    struct handoff_regs *now = &t->at.regs;
    const struct handoff_window *w = window_of(d, now->rip);
    uint8_t own[SYSCALL_LEN], made[SYSCALL_LEN];
    bool is_over = !t->in_call && now->rip > w->hi;
    if (is_over || !remote_read(d->all.pid, r->regs.rip - SYSCALL_LEN, own, sizeof own) ||
        !remote_read(d->all.pid, w->hi, made, sizeof made) || !memcmp(own, made, sizeof own))
        return;
    t->in_call = false;
    now->rip = w->hi;
    now->rax = r->regs.rax;
}

static uint64_t record_at(const struct detaching *d, const struct handoff_thread *r)
{
    return d->h.threads + (uint64_t)(r - d->record) * sizeof *r;
}

/* ---- leaving: whenever this process dies, every thread is native in the end ----
 * A parked thread waits for the ferry's word. One in a call is sent to the exit gate, where it does the same. The word is given
 * when all are there; then the signal handlers are the application's. */
static void gate_registers(const struct detaching *d, const struct tracee *t, const struct handoff_thread *r, struct handoff_regs *to)
{
    *to = t->at.regs;
    to->rip = d->h.exit_gate;
    to->rbx = record_at(d, r);
    to->orig_rax = ~0ull;
}

static bool send_to_gate(struct detaching *d, struct tracee *t, struct handoff_thread *r)
{
    struct handoff_regs to;
    struct remote target = {.pid = d->all.pid};
    uint64_t all = ~0ull;
    make_own_call(d, t, r);
    native_registers(d, t, r, &to);
    struct borrow_home home = borrow_home_of(&to, r->mask);
    r->regs = to;
    r->home_rax = home.rax, r->home_rbx = to.rbx, r->home_pc = home.pc;
    gate_registers(d, t, r, &to);
    return remote_write(&target, record_at(d, r), r, sizeof *r) && !ptrace(PTRACE_SETREGS, t->tid, 0, &to) &&
           !ptrace(PTRACE_SETSIGMASK, t->tid, sizeof all, &all);
}

/* What a parked thread has done by itself. The first call leads back to the gate, the second home. */
static void make_native(struct detaching *d, struct tracee *t, const struct handoff_thread *r, struct handoff_regs *to)
{
    bool is_parked = r->place == PLACE_PARKED;
    if (!is_parked && r->rseq_at) {
        gate_registers(d, t, r, to);
        remote_lend(&t->at, to, ~0ull);
        REMOTE_CALL(&t->at, SYS_rseq, r->rseq_at, r->rseq_size, 0, r->rseq_signature);
    }
    *to = r->regs;
    if (is_parked)
        native_registers(d, t, r, to);
    remote_lend(&t->at, to, r->mask);
    if (is_parked)
        remote_send_home(&t->at);
    else
        REMOTE_CALL(&t->at, SYS_sigaltstack, record_at(d, r) + offsetof(struct handoff_thread, altstack), 0);
}

static void let_go_of(struct detaching *d, struct tracee *t, const struct handoff_thread *r, struct handoff_regs *to)
{
    if (t->in_call && r->place != PLACE_PARKED)
        incall_shorten(&t->call, to, d->all.pid, t->tid, 0);
    remote_settle(&t->at, to, r->mask);
}

static void unmap(struct detaching *d, struct tracee *t)
{
    if (d->h.tables_hi)
        REMOTE_CALL(&t->at, SYS_munmap, d->h.tables_lo, d->h.tables_hi - d->h.tables_lo);
    REMOTE_CALL(&t->at, SYS_munmap, PRIV_LO, PRIV_HI - PRIV_LO);
}

/* The first thread is the last: when all others and it itself are native it takes away what nobody needs any more. */
static void leave_all(struct detaching *d)
{
    struct handoff_regs to;
    for (int i = d->all.n - 1; i >= 0; i--) {
        struct tracee *t = &d->all.list[i];
        const struct handoff_thread *r = record_of(d, t->tid);
        make_native(d, t, r, &to);
        if (i == 0) {
            set_state(d, DETACH_OVER);
            while (d->ferry) {
                serve_ferry(d);
                nap_us(POLL_US);
            }
            unmap(d, t);
        }
        let_go_of(d, t, r, &to);
    }
    tracees_let_go(&d->all);
}

/* ---- what a launcher that was killed has left behind ---- */
static bool is_abandoned(const struct handoff *h)
{
    return h->detach_state >= DETACH_RELEASED || (h->mode == HANDOFF_ATTACH && (h->attach_state < ATTACH_SWITCHED || h->attach_state == ATTACH_ABANDONED));
}

static bool is_native(const struct tracees *s)
{
    for (int i = 0; i < s->n; i++) {
        const struct handoff_regs *r = &s->list[i].at.regs;
        if ((r->rip >= PRIV_LO && r->rip < PRIV_HI) || (r->rsp >= PRIV_LO && r->rsp < PRIV_HI))
            return false;
    }
    return true;
}

/* The thread that runs the tool's main(), for nobody any more. What it has mapped must be on record. True: it was there. */
static bool end_helper(struct detaching *d)
{
    if (!d->at || !remote_read(d->all.pid, d->at, &d->h, sizeof d->h) || d->h.mode != HANDOFF_ATTACH || d->h.is_native ||
        d->h.attach_state != ATTACH_STARTING || d->h.is_mapping)
        return false;
    for (int i = 0; i < d->all.n; i++) {
        const struct handoff_regs *r = &d->all.list[i].at.regs;
        if (r->rsp >= d->h.stack_lo && r->rsp < d->h.stack_hi) {
            end_thread(&d->all.list[i]);
            tracees_forget(&d->all, i);
            return true;
        }
    }
    return false;
}

/* It had no record when we looked: it was about to be started, and now it has. */
static bool has_started(struct detaching *d, bool had_record) { return !had_record && find_handoff(d) && !is_abandoned(&d->h); }

static const char in_tool[] = "its probes are removed, and it runs natively; but the tool's memory stays, since a thread is still in the "
                              "tool's code, or the program knows of it: try again later";

/* Nothing but memory: every thread is native. */
static bool sweep(struct detaching *d)
{
    pid_t who = 0;
    bool had_record = d->at != 0, stopped = false;
    int64_t most = d->at && d->h.is_native ? IN_TOOL_MS : SWEEP_MS;
    for (int64_t end = now_us() + most * 1000; now_us() < end; nap_us(10000)) {
        enum stop_result r = tracees_stop(&d->all, 0, STOP_MS, &who);
        stopped = r == STOP_DONE;
        if (r == STOP_GONE)
            return refuse(d, "it has ended");
        if (!stopped) {                     /* for now: a thread may still be traced by a launcher that is being killed */
            tracees_release(&d->all);
            continue;
        }
        if (has_executed(d))
            return refuse(d, "it is no longer under Cotter");
        if (has_started(d, had_record)) {
            tracees_release(&d->all);
            return refuse(d, "it was being started: try again");
        }
        if (is_native(&d->all) && (!d->at || !d->h.is_native || probed_leave(&d->all, &d->h))) {
            unmap(d, &d->all.list[0]);
            tracees_release(&d->all);
            return true;
        }
        end_helper(d);
        tracees_release(&d->all);
    }
    if (!stopped)
        return refuse_stop(d, who);
    return refuse(d, d->at && d->h.is_native ? in_tool : "an attach has been broken off in it, and one of its threads does not leave");
}

/* Its threads have become native without us. */
static bool left_alone(struct detaching *d)
{
    if (kill(d->all.pid, 0) || !target_is_under_cotter(d->all.pid))
        return refuse(d, "it is no longer under Cotter");
    return sweep(d);
}

/* The ferry removes the probes and says the tool's last words; then there is nothing but memory. */
static bool leave_probes(struct detaching *d)
{
    if (!send_ferry(d))
        return false;
    for (; d->ferry || state_of(d) != DETACH_ALONE; nap_us(POLL_US)) {
        tracees_serve(&d->all);
        serve_ferry(d);
        if (kill(d->all.pid, 0) || !target_is_under_cotter(d->all.pid))
            return refuse(d, "it is no longer under Cotter");
    }
    return remote_read(d->all.pid, d->at, &d->h, sizeof d->h) ? sweep(d) : refuse(d, "its memory cannot be read");
}

static bool look(struct detaching *d, pid_t pid)
{
    Elf64_auxv_t auxv[AUXV_MAX] = {0};
    d->all.pid = pid;
    if (!target_read_auxv(pid, auxv, sizeof auxv))
        return false;
    d->all.vdso = auxv_get(auxv, AT_SYSINFO_EHDR);
    return find_handoff(d) || !d->at;       /* none: a launcher was killed before it had written it */
}

void detach_clean(pid_t pid)
{
    static struct detaching d;
    memset(&d, 0, sizeof d);
    if (target_is_under_cotter(pid) && look(&d, pid) && (!d.at || is_abandoned(&d.h)))
        sweep(&d);
}

bool detach_perform(pid_t pid, bool verbose)
{
    static struct detaching d;
    d.all.pid = pid;
    if (!turn_take(pid))
        return false;
    if (!target_is_under_cotter(pid))
        return refuse(&d, "it is not under Cotter");
    if (target_is_stopped(pid))
        return refuse(&d, "it is stopped, and has to run to leave: kill -CONT it first");
    if (!look(&d, pid)) {
        if (d.at)
            return refuse(&d, "its Cotter is not of this version");
        target_explain_refusal(pid, errno);
    }
    if (!d.at || is_abandoned(&d.h))
        return sweep(&d);
    if (d.h.is_native)
        return leave_probes(&d);
    int64_t began = now_us();
    if (!send_ferry(&d))
        return false;
    if (!wait_until(&d, DETACH_READY))
        return left_alone(&d);
    if (!remote_read(pid, d.at, &d.h, sizeof d.h))
        return refuse(&d, "its memory cannot be read");
    d.record = calloc(d.h.n_threads, sizeof *d.record);
    if (!have_ferry(&d))
        return left_alone(&d);
    if (!d.record || !gather(&d))
        return false;
    for (int i = 0; i < d.all.n; i++) {
        struct handoff_thread *r = record_of(&d, d.all.list[i].tid);
        if (r->place != PLACE_PARKED)
            send_to_gate(&d, &d.all.list[i], r);
    }
    set_state(&d, DETACH_LEAVING);
    if (!wait_until(&d, DETACH_RELEASED))
        return refuse(&d, "it has ended meanwhile");
    int n = d.all.n;
    leave_all(&d);
    if (verbose)
        say("detached from %d: %d threads stood still for %ld us at the most, the tool's last words included", pid, n,
            (long)(now_us() - began));
    return true;
}
