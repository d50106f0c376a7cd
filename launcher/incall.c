/* incall.c: see incall.h. */
#include "launcher/incall.h"
#include "launcher/remote.h"
#include "launcher/socktime.h"
#include "launcher/tracee.h"
#include "base/types.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_US = 1000, US_PER_MS = 1000, US_PER_S = 1000000, RED_ZONE = 128 };
enum { RESTARTSYS = -512, RESTARTNOINTR = -513, RESTARTNOHAND = -514, RESTARTBLOCK = -516 };
enum { ENTER_ABS_TIMER = 1 << 5, ENTER_EXT_ARG_REG = 1 << 6 };      /* newer than some headers */

/* ---- which calls ---- */
/* Where the timeout of a call that ends at every stop is. */
enum timeout_kind { ENDS_NOT, HAS_NONE, IN_MS, AT_R10, AT_RDX, AT_R8, IN_RING_ARG, OF_SOCKET };

static enum timeout_kind kind_of(long call, pid_t pid, int fd)
{
    if (socktime_is_candidate(call))
        return socktime_of(call, pid, fd) ? OF_SOCKET : ENDS_NOT;
    switch (call) {
    case SYS_epoll_wait: case SYS_epoll_pwait: return IN_MS;
    case SYS_epoll_pwait2: case SYS_semtimedop: return AT_R10;
    case SYS_rt_sigtimedwait: return AT_RDX;
    case SYS_io_getevents: return AT_R8;
    case SYS_io_uring_enter: return IN_RING_ARG;
    case SYS_semop: return HAS_NONE;
    default: return ENDS_NOT;
    }
}

static uint64_t *register_of(enum timeout_kind kind, struct handoff_regs *r)
{
    return kind == AT_RDX ? &r->rdx : kind == AT_R8 || kind == IN_RING_ARG ? &r->r8 : &r->r10;
}

static bool read_time(pid_t tid, uint64_t at, int64_t *us)
{
    struct timespec t;
    if (!remote_read(tid, at, &t, sizeof t))
        return false;
    *us = t.tv_sec * (int64_t)US_PER_S + t.tv_nsec / NS_PER_US;
    return true;
}

/* Its timeout; -1: none, or one that names a moment and not a length. False: it cannot be known. */
static bool timeout_of(struct handoff_regs *r, pid_t pid, pid_t tid, int64_t *us)
{
    enum timeout_kind kind = kind_of((long)r->orig_rax, pid, (int)r->rdi);
    uint64_t v = *register_of(kind, r);
    struct io_uring_getevents_arg arg;
    *us = -1;
    switch (kind) {
    case IN_MS:
        if ((int)v >= 0)
            *us = (int)v * (int64_t)US_PER_MS;
        return true;
    case AT_R10: case AT_RDX: case AT_R8: return !v || read_time(tid, v, us);
    case IN_RING_ARG:
        if (!(r->r10 & IORING_ENTER_EXT_ARG) || r->r10 & ENTER_ABS_TIMER)
            return true;
        return !(r->r10 & ENTER_EXT_ARG_REG) && remote_read(tid, v, &arg, sizeof arg) && (!arg.ts || read_time(tid, arg.ts, us));
    case OF_SOCKET:
        *us = socktime_of((long)r->orig_rax, pid, (int)r->rdi);
        return *us > 0;
    default: return true;
    }
}

/* ---- since when ---- */
static ssize_t read_proc(char *text, size_t room, pid_t pid, pid_t tid, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid, tid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    return n;
}

long incall_number(pid_t pid, pid_t tid, int *fd)
{
    char line[64], *end;
    read_proc(line, sizeof line, pid, tid, "syscall");
    if (line[0] < '0' || line[0] > '9')
        return -1;
    long call = strtol(line, &end, 10);
    *fd = (int)strtoull(end, NULL, 16);
    return call;
}

struct sched_facts { int64_t began_us; uint64_t sleeps; };      /* when it last came or went, by its CPU's clock */

static bool sched_facts(struct sched_facts *f, pid_t pid, pid_t tid)
{
    char text[4096];
    read_proc(text, sizeof text, pid, tid, "sched");
    const char *began = strstr(text, "se.exec_start"), *sleeps = strstr(text, "nr_voluntary_switches");
    if (!began || !sleeps || !(began = strchr(began, ':')) || !(sleeps = strchr(sleeps, ':')))
        return false;
    f->began_us = (int64_t)(strtod(began + 1, NULL) * US_PER_MS);
    f->sleeps = strtoull(sleeps + 1, NULL, 10);
    return true;
}

static int cpu_of(pid_t pid, pid_t tid)
{
    enum { CPU_FIELD = 39 };
    char text[1024];
    read_proc(text, sizeof text, pid, tid, "stat");
    const char *p = strrchr(text, ')');
    for (int field = 2; p && field < CPU_FIELD; field++)
        p = strchr(p + 1, ' ');
    return p ? atoi(p + 1) : -1;
}

/* How far the steady clock is ahead of the scheduler's clock on this CPU: a thread that has just been put there knows both. */
static bool clock_lead(int cpu, int64_t *lead)
{
    enum { FRESH_US = 100000, TRIES = 3, NAP_US = 20 };
    static struct { int64_t at, lead; } known[CPU_SETSIZE];
    cpu_set_t before, one;
    struct sched_facts f;
    bool ok = cpu >= 0 && cpu < CPU_SETSIZE;
    if (ok && known[cpu].at && now_us() - known[cpu].at < FRESH_US) {
        *lead = known[cpu].lead;
        return true;
    }
    CPU_ZERO(&one);
    if (!ok || sched_getaffinity(0, sizeof before, &before))
        return false;
    CPU_SET(cpu, &one);
    ok = !sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; ok && i < TRIES; i++) {
        nap_us(NAP_US);
        int64_t now = now_us();
        ok = sched_facts(&f, getpid(), (pid_t)syscall(SYS_gettid));
        if (ok && (i == 0 || now - f.began_us < known[cpu].lead))
            known[cpu].lead = now - f.began_us;
    }
    sched_setaffinity(0, sizeof before, &before);
    known[cpu].at = ok ? now_us() : 0;
    *lead = known[cpu].lead;
    return ok;
}

/* Calls that leave what is left of their timeout where they got it from, and are made again with that. */
static bool keeps_rest(long call) { return call == SYS_select || call == SYS_pselect6 || call == SYS_ppoll; }

void incall_look(struct incall *c, pid_t pid, pid_t tid)
{
    struct sched_facts f;
    int64_t lead;
    int fd = -1;
    long call = incall_number(pid, tid, &fd);
    *c = (struct incall){.is_delicate = kind_of(call, pid, fd) != ENDS_NOT};
    if (!c->is_delicate && !keeps_rest(call))
        return;
    c->since_us = sched_facts(&f, pid, tid) && clock_lead(cpu_of(pid, tid), &lead) ? f.began_us + lead : -1;
    c->sleeps = f.sleeps;
}

/* ---- mending ---- */
/* Is it still the sleep that it was seen in? Stops count as sleeps. Otherwise it has just begun. */
static int64_t asleep_since(const struct incall *c, pid_t pid, pid_t tid)
{
    struct sched_facts f;
    if (c->since_us <= 0)
        return c->since_us ? -1 : now_us();
    return sched_facts(&f, pid, tid) && f.sleeps == c->sleeps + c->stops ? c->since_us : now_us();
}

/* A timeout is counted from the beginning of a call, which the scheduler does not know once the call was made again. So when it is over is
 * noted when the thread is let go, below its stack. The note is about the sleep that follows at once, and no other. */
struct note { uint64_t magic, sleeps; int64_t due_us, gone_us; };
static const uint64_t NOTE_MAGIC = 0x6475652061742e2eull;

static uint64_t note_at(const struct handoff_regs *r) { return (r->rsp - RED_ZONE - INCALL_ROOM - sizeof(struct note)) & ~15ull; }

void incall_note(const struct incall *c, pid_t pid, pid_t tid)
{
    struct remote target = {.pid = pid};
    struct handoff_regs r;
    struct sched_facts f;
    if (!c->due_us || ptrace(PTRACE_GETREGS, tid, 0, &r) || !sched_facts(&f, pid, tid))
        return;
    struct note n = {NOTE_MAGIC, f.sleeps, c->due_us, now_us()};
    remote_write(&target, note_at(&r), &n, sizeof n);
}

static int64_t noted_due(const struct incall *c, const struct handoff_regs *r, pid_t tid, int64_t otherwise)
{
    enum { AT_ONCE_US = 100000 };
    struct note n;
    bool is_noted = remote_read(tid, note_at(r), &n, sizeof n) && n.magic == NOTE_MAGIC && n.sleeps + 1 == c->sleeps &&
                    c->since_us - n.gone_us < AT_ONCE_US && n.due_us < otherwise;
    return is_noted ? n.due_us : otherwise;
}

static int64_t due_of(const struct incall *c, const struct handoff_regs *r, pid_t tid, int64_t since, int64_t timeout)
{
    return since == c->since_us ? noted_due(c, r, tid, since + timeout) : since + timeout;
}

static bool is_mendable(struct incall *c, struct handoff_regs *r, pid_t pid, pid_t tid)
{
    int64_t timeout;
    c->is_delicate = (int64_t)r->rax == -EINTR && kind_of((long)r->orig_rax, pid, (int)r->rdi) != ENDS_NOT;
    if (!c->is_delicate || !timeout_of(r, pid, tid, &timeout))
        return false;
    int64_t since = timeout < 0 ? 0 : asleep_since(c, pid, tid);
    c->due_us = timeout < 0 ? 0 : due_of(c, r, tid, since, timeout);
    return since >= 0;
}

/* The time at rest would not count. Where it is; 0: not such a call, or no timeout. */
static uint64_t rest_at(const struct handoff_regs *r)
{
    if ((int64_t)r->rax != RESTARTNOHAND)
        return 0;
    switch ((long)r->orig_rax) {
    case SYS_select: case SYS_pselect6: return r->r8;
    case SYS_ppoll: return r->rdx;
    default: return 0;
    }
}

/* A timeval, or a timespec. */
static int64_t unit_of(const struct handoff_regs *r) { return (long)r->orig_rax == SYS_select ? 1 : NS_PER_US; }

static int64_t rest_due(const struct incall *c, const struct handoff_regs *r, pid_t pid, pid_t tid)
{
    int64_t t[2];
    uint64_t at = rest_at(r);
    if (!at || !remote_read(tid, at, t, sizeof t))
        return 0;
    int64_t due = now_us() + t[0] * US_PER_S + t[1] / unit_of(r);
    return c->since_us > 0 && asleep_since(c, pid, tid) == c->since_us ? noted_due(c, r, tid, due) : due;
}

static bool put_rest(const struct handoff_regs *r, pid_t pid, int64_t left_us)
{
    struct remote target = {.pid = pid};
    int64_t t[2] = {left_us / US_PER_S, left_us % US_PER_S * unit_of(r)};
    return remote_write(&target, rest_at(r), t, sizeof t);
}

static bool is_restarted(int64_t result)
{
    return result == RESTARTSYS || result == RESTARTNOINTR || result == RESTARTNOHAND || result == RESTARTBLOCK;
}

/* A call by int 0x80 has a number of another table: the thread makes it anew, by its own instruction, as the kernel would let it. */
static bool go_back_to_int80(struct handoff_regs *r, pid_t pid)
{
    enum { LEN = 2, RESTART_SYSCALL = 0 };
    uint8_t insn[LEN];
    if (!remote_read(pid, r->rip - LEN, insn, LEN) || insn[0] != 0xcd || insn[1] != 0x80)
        return false;
    if (is_restarted((int64_t)r->rax)) {
        r->rax = (int64_t)r->rax == RESTARTBLOCK ? RESTART_SYSCALL : r->orig_rax;
        r->rip -= LEN;
        r->orig_rax = ~0ull;
    }
    return true;
}

bool incall_mend(struct incall *c, struct handoff_regs *r, pid_t pid, pid_t tid)
{
    c->due_us = 0;
    if ((int64_t)r->orig_rax < 0 || go_back_to_int80(r, pid))
        return c->is_delicate = false;
    if (is_mendable(c, r, pid, tid))
        r->rax = (uint64_t)(int64_t)RESTARTNOHAND;
    else
        c->due_us = rest_due(c, r, pid, tid);
    return is_restarted((int64_t)r->rax);
}

bool incall_shorten(const struct incall *c, struct handoff_regs *r, pid_t pid, pid_t tid, uint64_t room)
{
    struct { struct timespec left; struct io_uring_getevents_arg arg; } image = {0};
    struct remote target = {.pid = pid};
    if (!c->due_us)
        return true;
    if (!room)
        room = (r->rsp - RED_ZONE - INCALL_ROOM) & ~15ull;
    enum timeout_kind kind = kind_of((long)r->orig_rax, pid, (int)r->rdi);
    int64_t left = MAX(c->due_us - now_us(), 0);
    if (rest_at(r))
        return put_rest(r, pid, left);
    uint64_t *reg = register_of(kind, r);
    _Static_assert(sizeof image <= INCALL_ROOM, "room for what is left");
    if (kind == OF_SOCKET)
        return socktime_shorten((long)r->orig_rax, pid, tid, (int)r->rdi, left);
    if (kind == IN_MS) {
        *reg = (uint64_t)(left + US_PER_MS - 1) / US_PER_MS;
        return true;
    }
    image.left = (struct timespec){left / US_PER_S, left % US_PER_S * NS_PER_US};
    if (kind == IN_RING_ARG && !remote_read(pid, *reg, &image.arg, sizeof image.arg))
        return false;
    image.arg.ts = room;
    *reg = kind == IN_RING_ARG ? room + offsetof(__typeof__(image), arg) : room;
    return remote_write(&target, room, &image, sizeof image);
}
