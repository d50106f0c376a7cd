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
 *      in the same: see borrow.h for the calls that they make for us, and attach_switch.c for the rest.
 *  (3) No descriptor of the target is used: the tool's ELF is written into anonymous memory. So it does not matter whether
 *      the target sees the same files. */
#include "launcher/attach_int.h"
#include "launcher/say.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

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

bool attach_refuse(struct attaching *a, const char *why, long raw)
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

/* ---- the threads ---- */
static bool stop_all(struct attaching *a)
{
    enum { VFORK_TRIES = 4, DEAF_MS = 3000 };
    pid_t who = 0;
    for (int i = 0; i < VFORK_TRIES; i++) {
        enum stop_result r = tracees_stop(&a->all, a->helper, STOP_MS, &who);
        if (r == STOP_DONE) {
            hurry(a->helper);
            return true;
        }
        if (r == STOP_GONE)
            return attach_refuse(a, "it has no threads left", 0);
        if (r == STOP_REFUSED)
            return attach_refuse(a, "a thread cannot be stopped", -errno);
        tracees_release(&a->all);
        tracees_await(&a->all, DEAF_MS);                    /* when it hears again it stands, and the others are stopped next */
    }
    char why[128];
    snprintf(why, sizeof why, "its thread %d does not stop (does it wait for a vfork child, or for a device?); try again later", who);
    return attach_refuse(a, why, 0);
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
        attach_refuse(a, "no thread of it comes to a stop", 0);
    return NULL;
}

/* Two short stops of one thread, to get memory and to get a thread; what takes time is done in between. */
static bool plant_helper(struct attaching *a)
{
    struct tracee *t = stop_one(a);
    if (!t)
        return false;
    long raw = attach_map_first(a, t);
    if (raw)
        return attach_refuse(a, "its private address range cannot be mapped", raw);
    tracees_release(&a->all);
    uint64_t stack = attach_put_handoff(a) ? attach_put_stack(a) : 0;         /* in this order: it changes the vector that the first reads */
    if (!stack || !attach_put_image(a) || !attach_put_steps(a, stack))
        return attach_refuse(a, "its memory cannot be written", -errno);
    if (!(t = stop_one(a)))
        return false;
    if (!attach_start_helper(a, t, stack))
        return attach_refuse(a, "no thread can be started in it", 0);
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
    bool is_there = attach_watch_helper(a);
    if (attach_state_of(a) == ATTACH_NATIVE)
        return let_helper_end(a);
    if (!is_there)
        return attach_refuse(a, "the tool ended before it started the program", 0);
    a->ready = now_us();
    if (!stop_all(a) || (has_executed(a) && !attach_refuse(a, "", 0)) || !attach_list_all(a))
        return false;
    uint32_t n = (uint32_t)a->all.n;
    attach_switch_all(a);
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
