/* launch.c: start by ptrace, keeping this process's identity.
 *
 * This process itself becomes the program, so that its pid, parent, process group and exit status are the native ones. A child
 * does the planting:
 *
 *     this process                            helper
 *     clone  ────────────────────────────────▶ (waits)
 *     allow the helper to trace, wake it ────▶ seize this process (at once, if it may without being allowed)
 *     execve  ◀─────────────────────────────── wake
 *     (stops at the first instruction)         plant, detach, exit
 *     reap the helper (engine/emulate/helper.c)
 *
 *  (1) Both share memory, so nothing is copied and no pipe is needed: two words tell how far things are.
 *  (2) The helper is cloned without an exit signal, so that wait() does not see it, and reaped before the program's first
 *      instruction. It is no orphan: that would become the child of whoever reaps orphans, the first process of a container for
 *      instance, which may be a program that runs under Cotter and counts its children.
 *  (3) The helper blocks all signals and closes the program's descriptors before the program runs.
 *  (4) If the helper is killed, the kernel kills this process too (PTRACE_O_EXITKILL). */
#include "launcher/launch.h"
#include "launcher/say.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK_SIZE = 64 << 10 };
/* The kernel stores zero, and wakes the waiter, when the process behind a word ends. */
enum { HELPER_GONE, HELPER_WAITING, HELPER_SEIZED, HELPER_REFUSED };
enum { PROGRAM_GONE, PROGRAM_WAITING, PROGRAM_ALLOWS };

static struct {
    struct launch *launch;
    pid_t program;
    pid_t helper;               /* 0: not started yet, or clone failed */
    int clone_error;
    int seize_error;
    uint32_t program_state;     /* the helper waits for it */
    uint32_t helper_state;      /* this process waits for it */
} shared;

static char helper_stack[STACK_SIZE] __attribute__((aligned(16)));

static void wait_while(uint32_t *word, uint32_t value)
{
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void store_and_wake(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Pass on whatever arrives before the exec: those signals are the program's. */
static int wait_for_exec(pid_t pid)
{
    for (;;) {
        int status;
        if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
            return 0;
        int event = status >> 16, sig = WSTOPSIG(status);
        if (event == PTRACE_EVENT_EXEC)
            break;
        if (event == PTRACE_EVENT_STOP && sig != SIGTRAP)
            ptrace(PTRACE_LISTEN, pid, 0, 0);
        else
            ptrace(PTRACE_CONT, pid, 0, event ? 0 : sig);
    }
    /* The event is reported from inside execve; one step leads to a stop at the first instruction. */
    int status;
    return !ptrace(PTRACE_SINGLESTEP, pid, 0, 0) && waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status);
}

static int seize(void)
{
    return !ptrace(PTRACE_SEIZE, shared.program, 0, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
}

static int helper_main(void *unused)
{
    uint64_t all = ~0ull;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
    if (!seize() && (wait_while(&shared.program_state, PROGRAM_WAITING), !seize())) {
        shared.seize_error = errno;
        store_and_wake(&shared.helper_state, HELPER_REFUSED);
        return 0;
    }
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
    store_and_wake(&shared.helper_state, HELPER_SEIZED);
    if (wait_for_exec(shared.program))
        plant(shared.launch, shared.program);
    return 0;
}

static void start_helper(void)
{
    shared.helper = clone(helper_main, helper_stack + STACK_SIZE, CLONE_VM | CLONE_CHILD_CLEARTID, NULL, NULL, NULL,
                          &shared.helper_state);
    if (shared.helper < 0) {
        shared.clone_error = errno;
        shared.helper = 0;
    }
}

static void reap_helper(void)
{
    while (waitpid(shared.helper, NULL, __WALL) < 0 && errno == EINTR)
        ;
}

static void execute(struct launch *l) __attribute__((noreturn));
static void execute(struct launch *l)
{
    fcntl(l->tool.fd, F_SETFD, 0);      /* the target maps it, then closes it */
    execve(l->program, l->argv, l->envp);
    int e = errno;
    fail(e == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_EXECUTE, "cannot execute %s: %s", l->program, strerror(e));
}

static int own_name_in_proc(void)
{
    char text[16];
    ssize_t n = readlink("/proc/self", text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    return n > 0 ? atoi(text) : getpid();
}

int launch_by_ptrace(struct launch *l)
{
    l->name_in_proc = own_name_in_proc();
    shared.launch = l;
    shared.program = getpid();
    shared.helper_state = HELPER_WAITING;
    shared.program_state = PROGRAM_WAITING;
    syscall(SYS_set_tid_address, &shared.program_state);
    start_helper();
    if (!shared.helper)
        return shared.clone_error;
    l->handoff.helper = shared.helper;
    prctl(PR_SET_PTRACER, shared.helper, 0, 0, 0);
    store_and_wake(&shared.program_state, PROGRAM_ALLOWS);
    wait_while(&shared.helper_state, HELPER_WAITING);
    if (shared.helper_state == HELPER_SEIZED)
        execute(l);
    reap_helper();
    l->handoff.helper = 0;
    return shared.seize_error ? shared.seize_error : ECHILD;
}
