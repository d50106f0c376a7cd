/* attached.c: the commands that attach and detach.
 *
 * The work with ptrace is done by a worker, a process in a session of its own: whoever kills the command, or hits Ctrl-C,
 * does not kill it in the middle. */
#include "launcher/attach.h"
#include "launcher/say.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 100 };

static volatile sig_atomic_t is_asked;
static void ask(int sig) { is_asked = sig; }

static pid_t command;                   /* the worker's parent; 0: this is no worker */
bool command_is_gone(void) { return command && getppid() != command; }

/* Threads stand still while it works. On a busy machine a high priority does not help: a session of its own has its own share of
 * the CPUs, and not more. Not every user may do this. */
void hurry(pid_t tid)
{
    struct sched_param lowest = {.sched_priority = 1};
    if (sched_setscheduler(tid, SCHED_RR | SCHED_RESET_ON_FORK, &lowest))
        setpriority(PRIO_PROCESS, (id_t)tid, -20);
}

/* A worker that was killed has left something behind; nobody watches the tool any more. */
static bool clean(void *pid)
{
    if (turn_take(*(pid_t *)pid))
        detach_clean(*(pid_t *)pid);
    return true;
}

/* Runs f in the worker; its exit status is the result. */
static bool in_worker(bool (*f)(void *), void *arg, pid_t target)
{
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        fail(STATUS_FAILED, "cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        command = parent;
        setsid();
        hurry(0);
        signal(SIGHUP, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        signal(SIGPIPE, SIG_IGN);
        _exit(f(arg) ? 0 : STATUS_FAILED);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    if (WIFSIGNALED(status)) {
        say("the worker was killed by signal %d", WTERMSIG(status));
        if (f != clean)
            in_worker(clean, &target, target);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool attach(void *l) { return attach_perform(l); }
struct leaving { pid_t pid; bool verbose; };
static bool detach(void *arg)
{
    struct leaving *l = arg;
    return detach_perform(l->pid, l->verbose);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

/* Until the time is up, somebody asks for the end, or nothing of Cotter is there any more. True: detach. */
static bool stay(pid_t pid, uint64_t for_ms)
{
    struct pollfd p = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    int64_t end = now_ms() + (int64_t)for_ms;
    for (;;) {
        int64_t left = for_ms ? end - now_ms() : LOOK_MS;
        if (is_asked || left <= 0)
            return true;
        if (poll(&p, 1, (int)(left < LOOK_MS ? left : LOOK_MS)) > 0 || kill(pid, 0))
            return false;
        if (!target_is_under_cotter(pid))
            return false;
    }
}

int attach_command(struct launch *l)
{
    pid_t pid = l->options->pid;
    struct sigaction act = {.sa_handler = ask};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    if (!in_worker(attach, l, pid))
        return STATUS_FAILED;
    if (l->options->returns || (target_is_native(pid) && !l->options->for_ms))
        return 0;
    if (!stay(pid, l->options->for_ms))
        return 0;
    struct leaving leaving = {pid, l->options->engine.verbose};
    return in_worker(detach, &leaving, pid) ? 0 : STATUS_FAILED;
}

/* --finish: the engine calls, from a process that has begun to leave; this command is nobody's child. */
int detach_command(int argc, char **argv)
{
    char *end;
    bool is_finish = argc > 0 && !strcmp(argv[0], "--finish"), is_verbose = argc > 0 && !strcmp(argv[0], "-v");
    argc -= is_finish || is_verbose;
    argv += is_finish || is_verbose;
    long n = argc == 1 ? strtol(argv[0], &end, 10) : 0;
    if (argc != 1 || *end || n <= 0 || n > INT_MAX)
        fail(STATUS_FAILED, "detach wants the id of a process: cotter detach PID");
    pid_t pid = (pid_t)n;
    if (kill(pid, 0) && errno == ESRCH)
        fail(STATUS_FAILED, "cannot detach from %d: there is no such process", pid);
    if (is_finish) {
        hurry(0);
        return detach_perform(pid, false) ? 0 : STATUS_FAILED;
    }
    struct leaving leaving = {pid, is_verbose};
    return in_worker(detach, &leaving, pid) ? 0 : STATUS_FAILED;
}
