/* tracee.c: see tracee.h. */
#include "launcher/tracee.h"
#include "base/types.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAP_US = 50, GROW = 64, LATE_MS = 20, SOON_MS = 50 };

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

/* Of its stat line; 0: there is none. */
static char state_of(pid_t pid, pid_t tid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = 0;
    const char *p = strrchr(line, ')');
    return p && p[1] ? p[2] : 0;
}

static bool is_alive(pid_t pid, pid_t tid)
{
    char state = state_of(pid, tid);
    return state && state != 'Z' && state != 'X';           /* those have ended, but for their entry */
}

/* It waits for a vfork child or for a device, and hears nothing. */
static bool is_deaf(pid_t pid, pid_t tid) { return state_of(pid, tid) == 'D'; }

/* ---- system calls under way ---- */
enum { RESTARTSYS = -512, RESTARTNOINTR = -513, RESTARTNOHAND = -514, RESTARTBLOCK = -516 };

/* These end with EINTR at every stop, handler or none. */
static bool ends_at_stops(long call)
{
    return call == SYS_epoll_wait || call == SYS_epoll_pwait || call == SYS_epoll_pwait2 || call == SYS_semop ||
           call == SYS_semtimedop || call == SYS_rt_sigtimedwait || call == SYS_io_uring_enter || call == SYS_io_getevents;
}

/* Without a timeout they may simply be made again. */
static bool waits_for_ever(const struct handoff_regs *r)
{
    switch (r->orig_rax) {
    case SYS_epoll_wait: case SYS_epoll_pwait: return (int)r->r10 < 0;
    case SYS_epoll_pwait2: return r->r10 == 0;
    case SYS_semop: return true;
    case SYS_semtimedop: return r->r10 == 0;
    case SYS_rt_sigtimedwait: return r->rdx == 0;
    case SYS_io_uring_enter: return !(r->r10 & 8);           /* IORING_ENTER_EXT_ARG: may have a timeout */
    case SYS_io_getevents: return r->r8 == 0;
    default: return false;
    }
}

/* Is it in a call that the kernel will restart, as if nothing had happened? */
static bool mend_call(struct handoff_regs *r, bool *is_delicate)
{
    if ((int64_t)r->orig_rax < 0)
        return false;
    *is_delicate = (int64_t)r->rax == -EINTR && waits_for_ever(r);
    if (*is_delicate)
        r->rax = (uint64_t)(int64_t)RESTARTNOHAND;
    switch ((int64_t)r->rax) {
    case RESTARTSYS: case RESTARTNOINTR: case RESTARTNOHAND: case RESTARTBLOCK: return true;
    default: return false;
    }
}

/* ---- stopping ---- */
/* The kernel does not drop an ignored signal (SIGCHLD, as a rule) when the thread that it is for is traced: it wakes another
 * thread with it, in vain, and ends a call there that is not restarted. Where that thread is traced too it comes to a stop,
 * and is mended. So delicate threads are seized first, all before the first is stopped, and let go last. */
static int seize(struct tracees *s, pid_t tid)
{
    if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD))
        return errno == ESRCH || !is_alive(s->pid, tid) ? 0 : -1;
    add(s, tid);
    return 1;
}

static void interrupt_running(struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        if (!s->list[i].is_stopped)
            ptrace(PTRACE_INTERRUPT, s->list[i].tid, 0, 0);
}

/* The call it waits in; -1: it runs, or may not be looked at. */
static long call_of(pid_t pid, pid_t tid)
{
    char path[64], line[32] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
    if (fd >= 0)
        close(fd);
    return n > 0 && line[0] >= '0' && line[0] <= '9' ? strtol(line, NULL, 10) : -1;
}

/* Whoever is new; `delicate`: only those that wait in such a call. -1: refused; else how many were seized. */
static int seize_some(struct tracees *s, pid_t spare, bool only_one, bool delicate)
{
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/task", s->pid);
    DIR *d = opendir(path);
    if (!d)
        return 0;
    for (struct dirent *e; n >= 0 && (e = readdir(d)) && !(only_one && n);) {
        pid_t tid = (pid_t)atoi(e->d_name);
        if (!tid || tid == spare || find(s, tid) || (delicate && !ends_at_stops(call_of(s->pid, tid))) || !is_alive(s->pid, tid))
            continue;
        int r = seize(s, tid);
        n = r < 0 ? r : n + r;
    }
    int e = errno;
    closedir(d);
    errno = e;
    return n;
}

static int seize_new(struct tracees *s, pid_t spare)
{
    int first = seize_some(s, spare, false, true), rest = first < 0 ? 0 : seize_some(s, spare, false, false);
    return first < 0 || rest < 0 ? -1 : first + rest;
}

/* A signal that was about to be delivered is. Any stop takes the place of the one that was asked for: ask again. */
static bool is_wanted_stop(pid_t tid, int status)
{
    if (status >> 16 == PTRACE_EVENT_STOP)
        return true;
    int sig = WSTOPSIG(status);
    ptrace(PTRACE_INTERRUPT, tid, 0, 0);
    ptrace(PTRACE_CONT, tid, 0, status >> 16 || sig == (SIGTRAP | 0x80) ? 0 : sig);
    return false;
}

bool tracee_interrupt(pid_t tid, int timeout_ms)
{
    ptrace(PTRACE_INTERRUPT, tid, 0, 0);
    for (;;) {
        int status = tracee_wait(tid, timeout_ms);
        if (status <= 0)
            return false;
        if (is_wanted_stop(tid, status))
            return true;
    }
}

static bool note_stop(struct tracees *s, struct tracee *t)
{
    t->is_stopped = true;
    if (!remote_begin_in(&t->at, t->tid, s->vdso))
        return false;
    t->in_call = mend_call(&t->at.regs, &t->is_delicate);
    return true;
}

/* One look at each thread that still runs. True: something has happened. */
static bool collect(struct tracees *s)
{
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        struct tracee *t = &s->list[i];
        int status;
        if (t->is_stopped)
            continue;
        pid_t r = waitpid(t->tid, &status, __WALL | WNOHANG);
        if (r == 0)
            continue;
        any = true;
        if (r < 0 || !WIFSTOPPED(status) || (is_wanted_stop(t->tid, status) && !note_stop(s, t)))
            drop(s, t), i--;
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
    for (int64_t end = now_us() + timeout_ms * 1000ll, soon = now_us() + SOON_MS * 1000;;) {
        int n = seize_new(s, spare);
        if (n < 0)
            return STOP_REFUSED;
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
    *who = 0;
    while (seize_some(s, 0, true, false) == 1) {
        struct tracee *t = &s->list[s->n - 1];
        *who = t->tid;
        if (tracee_interrupt(t->tid, is_deaf(s->pid, t->tid) ? LATE_MS : timeout_ms))
            return note_stop(s, t) ? STOP_DONE : STOP_GONE;
    }
    return s->n ? STOP_TIMEOUT : is_alive(s->pid, s->pid) ? STOP_REFUSED : STOP_GONE;
}

void tracees_forget(struct tracees *s, int i) { drop(s, &s->list[i]); }

void tracees_resume(struct tracees *s, int i)
{
    struct tracee *t = &s->list[i];
    remote_settle(&t->at, &t->at.regs);
    ptrace(PTRACE_SETSIGMASK, t->tid, sizeof t->at.mask, &t->at.mask);
    t->is_stopped = false;
    ptrace(PTRACE_CONT, t->tid, 0, 0);
}

void tracees_let_go(struct tracees *s)
{
    for (int late = 0; late < 2; late++)
        for (int i = 0; i < s->n; i++)
            if (s->list[i].is_delicate == late)
                ptrace(PTRACE_DETACH, s->list[i].tid, 0, 0);
    s->n = 0;
}

static void release_stopped(struct tracees *s, bool delicate)
{
    for (int i = 0; i < s->n; i++)
        if (s->list[i].is_stopped && s->list[i].is_delicate == delicate) {
            remote_release(&s->list[i].at, &s->list[i].at.regs);
            drop(s, &s->list[i--]);
        }
}

/* A thread must be stopped to be let go. One that does not stop yet stays on the list: see tracees_serve. */
void tracees_release(struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        if (!s->list[i].is_stopped && tracee_interrupt(s->list[i].tid, LATE_MS))
            note_stop(s, &s->list[i]);
    release_stopped(s, false);
    release_stopped(s, true);
}

void tracees_serve(struct tracees *s)
{
    if (s->n && collect(s)) {
        release_stopped(s, false);
        release_stopped(s, true);
    }
}

bool tracees_await(struct tracees *s, int timeout_ms)
{
    for (int64_t end = now_us() + timeout_ms * 1000ll; first_running(s) && now_us() < end;)
        if (!collect(s))
            nap_us(NAP_US);
    return !first_running(s);
}
