/* attach_helper.c: the thread that runs the tool's main() in a process that is attached to, until it is ready (attach.c, (1)). */
#include "launcher/attach_int.h"
#include "launcher/say.h"
#include "base/types.h"
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

bool attach_start_helper(struct attaching *a, struct tracee *t, uint64_t stack)
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

uint32_t attach_state_of(struct attaching *a)
{
    uint32_t state = ATTACH_FAILED;
    remote_read(a->all.pid, a->at.handoff + offsetof(struct handoff, attach_state), &state, sizeof state);
    return state;
}

bool attach_set_state(struct attaching *a, uint32_t state)
{
    return attach_put(a, a->at.handoff + offsetof(struct handoff, attach_state), &state, sizeof state);
}

/* The signal that it is about to get would end the whole process. It comes to another stop before it runs again. */
static void swallow_signal(struct attaching *a)
{
    ptrace(PTRACE_INTERRUPT, a->helper, 0, 0);
    ptrace(PTRACE_CONT, a->helper, 0, 0);
}

/* The tool's main() takes as long as it takes. False: it has ended. */
bool attach_watch_helper(struct attaching *a)
{
    bool is_entry = true;
    ptrace(PTRACE_SYSCALL, a->helper, 0, 0);
    while (attach_state_of(a) != ATTACH_READY && attach_state_of(a) != ATTACH_NATIVE && !command_is_gone()) {
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

bool attach_wait_for(struct attaching *a, uint32_t state)
{
    while (attach_state_of(a) != state) {
        int status;
        pid_t r = waitpid(a->helper, &status, __WALL | WNOHANG);
        if (r < 0 || (r == a->helper && !WIFSTOPPED(status))) {
            a->helper = 0;
            return attach_state_of(a) == state;
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
