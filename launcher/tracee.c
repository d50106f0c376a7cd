/* tracee.c: see tracee.h. */
#include "launcher/tracee.h"
#include "launcher/socktime.h"
#include "base/types.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAP_US = 50, GROW = 64, LATE_MS = 20, SOON_MS = 200, DEAF_LOOKS = 5, DEAF_US = 1000 };

void nap_us(int us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000l};
    nanosleep(&t, NULL);
}

int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

int tracee_wait(pid_t tid, int timeout_ms)
{
    for (int64_t end = now_us() + timeout_ms * 1000ll;;) {
        int status;
        pid_t r = waitpid(tid, &status, __WALL | WNOHANG);
        if (r < 0 || (r == tid && !WIFSTOPPED(status)))
            return -1;
        if (r == tid)
            return status;
        if (now_us() > end)
            return 0;
        nap_us(NAP_US);
    }
}

/* ---- the list ---- */
static struct tracee *find(struct tracees *s, pid_t tid)
{
    for (int i = 0; i < s->n; i++)
        if (s->list[i].tid == tid)
            return &s->list[i];
    return NULL;
}

static struct tracee *add(struct tracees *s, pid_t tid)
{
    if (s->n == s->room) {
        s->room += s->room + GROW;
        s->list = realloc(s->list, (size_t)s->room * sizeof *s->list);
        if (!s->list)
            abort();
    }
    s->list[s->n] = (struct tracee){.tid = tid};
    return &s->list[s->n++];
}

static void drop(struct tracees *s, struct tracee *t)
{
    memmove(t, t + 1, (size_t)(s->list + --s->n - t) * sizeof *t);
}

/* It waits for a vfork child or for a device, and hears nothing. A thread that waits for the lock of its memory map looks the
 * same, but not for long. */
static bool is_deaf(pid_t pid, pid_t tid)
{
    for (int i = 0; i < DEAF_LOOKS; i++, nap_us(DEAF_US))
        if (remote_state(pid, tid) != 'D')
            return false;
    return true;
}

/* ---- stopping ---- */
/* The kernel does not drop an ignored signal (SIGCHLD, as a rule) when the thread that it is for is traced. If that thread
 * stands still as well, the signal wakes another thread, in vain, and ends a call there that is not restarted. Where the other
 * thread is traced too it comes to a stop, and is mended. So all threads are seized before the first is stopped, those in
 * such calls first, and new threads are born traced. They are let go in the order of `rank`: those that signals may be for
 * go first, since what is not traced ignores what it ignores. Where one thread stands still alone, it is not such a one. */
enum { OPTIONS = PTRACE_O_TRACESYSGOOD };

pid_t tracee_tracer(pid_t pid, pid_t tid)
{
    char path[64], line[128];
    int tracer = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", pid, tid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "TracerPid: %d", &tracer) != 1)
        ;
    if (f)
        fclose(f);
    return tracer;
}

static bool is_ours(pid_t pid, pid_t tid) { return tracee_tracer(pid, tid) == getpid(); }

/* A thread that executes a program waits until the others have ended, and a traced one has not ended until its tracer has heard
 * of it; but who seizes a thread waits for the end of the exec. So ends are heard of meanwhile, in a signal handler. Only ends:
 * a wait for a thread that has stopped would take that news away. */
static struct tracees *seizing;

static void hear_of(pid_t tid)
{
    siginfo_t info = {0};
    if (!waitid(P_PID, (id_t)tid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) && info.si_pid &&
        (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED))
        waitid(P_PID, (id_t)tid, &info, WEXITED | WNOHANG | __WALL);
}

static void hear(int sig)
{
    int e = errno;
    for (int i = 0; i < seizing->n; i++)
        hear_of(seizing->list[i].tid);
    if (seizing->spare)
        hear_of(seizing->spare);
    errno = e;
}

static int seize_hearing(struct tracees *s, pid_t tid, long options)
{
    struct sigaction act = {.sa_handler = hear, .sa_flags = SA_NOCLDSTOP};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    seizing = s;
    sigaction(SIGCHLD, &act, NULL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    int e = ptrace(PTRACE_SEIZE, tid, 0, options) ? errno : 0;
    sigprocmask(SIG_BLOCK, &set, NULL);
    return e;
}

static int seize(struct tracees *s, pid_t tid, const struct incall *call, long options)
{
    int e = seize_hearing(s, tid, options);
    if (e && !(e == EPERM && is_ours(s->pid, tid))) {
        bool is_over = e == ESRCH || !remote_is_alive(s->pid, tid);
        errno = e;
        return is_over ? 0 : -1;
    }
    add(s, tid)->call = *call;
    return 1;
}

static void interrupt_running(struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        if (!s->list[i].is_stopped)
            ptrace(PTRACE_INTERRUPT, s->list[i].tid, 0, 0);
}

/* Whoever is new; `delicate`: only those that wait in such a call. -1: refused; else how many were seized. */
static int seize_some(struct tracees *s, pid_t spare, bool delicate)
{
    char path[64];
    int n = 0, e;
    snprintf(path, sizeof path, "/proc/%d/task", s->pid);
    DIR *d = opendir(path);
    if (!d)
        return 0;
    for (struct dirent *entry; n >= 0 && (entry = readdir(d));) {
        pid_t tid = (pid_t)atoi(entry->d_name);
        struct incall call;
        if (!tid || tid == spare || find(s, tid) || !remote_is_alive(s->pid, tid))
            continue;
        incall_look(&call, s->pid, tid);
        if (delicate && !call.is_delicate)
            continue;
        int r = seize(s, tid, &call, OPTIONS | PTRACE_O_TRACECLONE);
        n = r < 0 ? r : n + r;
    }
    e = errno;
    closedir(d);
    errno = e;
    return n;
}

static int seize_new(struct tracees *s, pid_t spare)
{
    int first = seize_some(s, spare, true), rest = first < 0 ? 0 : seize_some(s, spare, false);
    return first < 0 || rest < 0 ? -1 : first + rest;
}

/* May a signal for the whole process, or of a child's end, be for this thread? */
static bool is_addressed(pid_t pid, pid_t tid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, tid);
    FILE *f = tid == pid ? NULL : fopen(path, "re");
    bool has_child = f && getc(f) != EOF;
    if (f)
        fclose(f);
    return tid == pid || has_child;
}

/* The thread that is best stopped alone: see above; at best one whose call is not disturbed either. 0: none is left. */
static pid_t choose_one(struct tracees *s, struct incall *call)
{
    char path[64];
    pid_t best = 0;
    int best_worth = -1;
    snprintf(path, sizeof path, "/proc/%d/task", s->pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        pid_t tid = (pid_t)atoi(e->d_name);
        struct incall c;
        if (!tid || find(s, tid) || !remote_is_alive(s->pid, tid))
            continue;
        incall_look(&c, s->pid, tid);
        int worth = 2 * !is_addressed(s->pid, tid) + !c.is_delicate;
        if (worth > best_worth)
            best = tid, best_worth = worth, *call = c;
    }
    if (d)
        closedir(d);
    return best;
}

/* A thread that is created by a traced one is traced. So is a process of its own that does not signal its end: not ours. */
static void take_newborn(struct tracees *s, pid_t creator)
{
    enum { BORN_MS = 1000 };
    unsigned long tid = 0;
    if (ptrace(PTRACE_GETEVENTMSG, creator, 0, &tid) || !tid || find(s, (pid_t)tid))
        return;
    if (remote_state(s->pid, (pid_t)tid))
        add(s, (pid_t)tid);
    else if (tracee_wait((pid_t)tid, BORN_MS) > 0)
        ptrace(PTRACE_DETACH, (pid_t)tid, 0, 0);
}

/* A signal that was about to be delivered is. Any stop takes the place of the one that was asked for: ask again. */
static bool is_wanted_stop(struct tracees *s, pid_t tid, int status)
{
    int sig = WSTOPSIG(status), event = status >> 16;
    if (event == PTRACE_EVENT_STOP)
        return true;
    if (event == PTRACE_EVENT_CLONE && s)
        take_newborn(s, tid);
    ptrace(PTRACE_INTERRUPT, tid, 0, 0);
    ptrace(PTRACE_CONT, tid, 0, event || sig == (SIGTRAP | 0x80) ? 0 : sig);
    return false;
}

static bool interrupt(pid_t tid, int timeout_ms, uint64_t *n_stops)
{
    ptrace(PTRACE_INTERRUPT, tid, 0, 0);
    for (;;) {
        int status = tracee_wait(tid, timeout_ms);
        if (status <= 0)
            return false;
        if (n_stops)
            ++*n_stops;
        if (is_wanted_stop(NULL, tid, status))
            return true;
    }
}

bool tracee_interrupt(pid_t tid, int timeout_ms) { return interrupt(tid, timeout_ms, NULL); }

struct rseq_section { uint32_t version, flags; uint64_t start, length, abort; };

/* The kernel would have moved the thread to the section's abort handler when it came back from this stop. */
static void leave_rseq_section(struct tracees *s, struct tracee *t)
{
    enum { SECTION_FIELD = 8 };
    struct __ptrace_rseq_configuration c = {0};
    struct rseq_section section;
    uint64_t at = 0;
    ptrace(PTRACE_GET_RSEQ_CONFIGURATION, t->tid, sizeof c, &c);
    if (c.rseq_abi_pointer && remote_read(s->pid, c.rseq_abi_pointer + SECTION_FIELD, &at, sizeof at) && at &&
        remote_read(s->pid, at, &section, sizeof section) && t->at.regs.rip - section.start < section.length)
        t->at.regs.rip = section.abort;
}

static bool note_stop(struct tracees *s, struct tracee *t)
{
    t->is_stopped = true;
    if (!remote_begin_in(&t->at, t->tid, s->vdso))
        return false;
    t->in_call = incall_mend(&t->call, &t->at.regs, s->pid, t->tid);
    if (!t->in_call)
        leave_rseq_section(s, t);
    return true;
}

/* One look at each thread that still runs. True: something has happened. The list may grow meanwhile. */
static bool collect(struct tracees *s)
{
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        int status;
        pid_t tid = s->list[i].tid, r = s->list[i].is_stopped ? 0 : waitpid(tid, &status, __WALL | WNOHANG);
        if (r == 0)
            continue;
        any = true;
        s->list[i].call.stops++;
        if (r < 0 || !WIFSTOPPED(status) || (is_wanted_stop(s, tid, status) && !note_stop(s, &s->list[i])))
            drop(s, &s->list[i--]);
    }
    return any;
}

static pid_t first_running(const struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        if (!s->list[i].is_stopped)
            return s->list[i].tid;
    return 0;
}

enum stop_result tracees_stop(struct tracees *s, pid_t spare, int timeout_ms, pid_t *who)
{
    s->stopped_us = 0;
    s->spare = spare;
    for (int64_t end = now_us() + timeout_ms * 1000ll, soon = now_us() + SOON_MS * 1000;;) {
        int n = seize_new(s, spare);
        if (n < 0)
            return STOP_REFUSED;
        if (!s->stopped_us)
            s->stopped_us = now_us();
        interrupt_running(s);
        while ((*who = first_running(s))) {
            if (!collect(s))
                nap_us(NAP_US);
            if (now_us() > end || (now_us() > soon && is_deaf(s->pid, *who)))
                return STOP_TIMEOUT;                        /* the others must not wait for it */
        }
        if (n == 0)
            return s->n ? STOP_DONE : STOP_GONE;
    }
}

enum stop_result tracees_stop_one(struct tracees *s, int timeout_ms, pid_t *who)
{
    struct incall call;
    *who = 0;
    for (pid_t tid; (tid = choose_one(s, &call));) {
        int r = seize(s, tid, &call, OPTIONS);
        if (r < 0)
            return STOP_REFUSED;
        if (r == 0)
            continue;
        struct tracee *t = &s->list[s->n - 1];
        *who = t->tid;
        if (interrupt(t->tid, is_deaf(s->pid, t->tid) ? LATE_MS : timeout_ms, &t->call.stops))
            return note_stop(s, t) ? STOP_DONE : STOP_GONE;
    }
    return s->n ? STOP_TIMEOUT : STOP_GONE;
}

void tracees_forget(struct tracees *s, int i) { drop(s, &s->list[i]); }

static void settle(struct tracees *s, struct tracee *t)
{
    struct handoff_regs to = t->at.regs;
    if (t->in_call)
        incall_shorten(&t->call, &to, s->pid, t->tid, 0);
    remote_settle(&t->at, &to, t->at.mask);
}

void tracees_resume(struct tracees *s, int i)
{
    struct tracee *t = &s->list[i];
    settle(s, t);
    t->is_stopped = false;
    incall_note(&t->call, s->pid, t->tid);
    ptrace(PTRACE_CONT, t->tid, 0, 0);
    socktime_restore();
}

enum { N_RANKS = 4 };
static int rank(const struct tracees *s, const struct tracee *t)
{
    return 2 * !is_addressed(s->pid, t->tid) + t->call.is_delicate;
}

static void wipe(struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->list[i].is_stopped) {
            remote_wipe(s->list[i].tid);
            return;
        }
}

static void detach_stopped(struct tracees *s)
{
    wipe(s);
    for (int i = 0; i < s->n; i++)
        s->list[i].rank = rank(s, &s->list[i]);
    for (int r = 0; r < N_RANKS; r++)
        for (int i = 0; i < s->n; i++)
            if (s->list[i].is_stopped && s->list[i].rank == r) {
                incall_note(&s->list[i].call, s->pid, s->list[i].tid);
                ptrace(PTRACE_DETACH, s->list[i].tid, 0, 0);
            }
    socktime_restore();
    for (int i = 0; i < s->n; i++)
        if (s->list[i].is_stopped)
            drop(s, &s->list[i--]);
}

void tracees_let_go(struct tracees *s) { detach_stopped(s); }

static void release_stopped(struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->list[i].is_stopped)
            settle(s, &s->list[i]);
    detach_stopped(s);
}

/* A thread must be stopped to be let go. One that does not stop yet stays on the list: see tracees_serve. */
void tracees_release(struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        if (!s->list[i].is_stopped && interrupt(s->list[i].tid, LATE_MS, &s->list[i].call.stops))
            note_stop(s, &s->list[i]);
    release_stopped(s);
}

void tracees_serve(struct tracees *s)
{
    if (s->n && collect(s))
        release_stopped(s);
}

bool tracees_await(struct tracees *s, int timeout_ms)
{
    for (int64_t end = now_us() + timeout_ms * 1000ll; first_running(s) && now_us() < end;)
        if (!collect(s))
            nap_us(NAP_US);
    return !first_running(s);
}
