/* ticker.c: see ticker.h.
 *
 *  (1) The ticker holds nothing of the program's but its terminal: the end of a pipe is seen when the program closes it.
 *  (2) It is in the program's process group and may be stopped with it; no other signal reaches it.
 *  (3) It ends with the program, and takes the line along when the program was killed before it could. */
#include "ticker.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const char MARK[] = "--show-progress";
enum { STACK_SIZE = 16 << 10, PAGE_FD = 0, TICK_MS = 250, PATIENCE_MS = 50 };

/* ---- what both do ---- */
void ticker_lock(struct ticker_page *p)
{
    const struct timespec ms = { 0, 1000000 };
    for (int waited = 0; __sync_lock_test_and_set(&p->busy, 1) && waited < PATIENCE_MS; waited++)
        nanosleep(&ms, NULL);
}

void ticker_unlock(struct ticker_page *p) { __sync_lock_release(&p->busy); }

static void put(const char *text, size_t n)
{
    ssize_t written = write(fileno(stderr), text, n);
    (void)written;
}

void ticker_wipe(struct ticker_page *p)
{
    ticker_lock(p);
    if (p->is_shown)
        put("\r\033[K", 4);
    p->is_shown = false;
    ticker_unlock(p);
}

/* ---- the ticker's own life ---- */
static bool is_stopped(pid_t program)
{
    char path[32], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", program);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    close(fd);
    const char *state = n > 0 ? strrchr(text, ')') : NULL;
    return state && strchr("Tt", state[2]);
}

/* The terminal is the program's: not while others use it, nor beside what the program has only begun to write or reads key by
 * key (an editor), nor beside children, whose writing is not seen. */
static bool may_show(const struct ticker_page *p, pid_t program)
{
    struct termios t;
    pid_t foreground = tcgetpgrp(STDERR_FILENO);
    if (p->is_over || tcgetattr(STDERR_FILENO, &t) || (foreground > 0 && foreground != getpgrp()) || is_stopped(program))
        return false;
    return !p->is_shared || (!p->is_within_line && !p->has_children && t.c_lflag & ICANON);
}

static void tick(struct ticker_page *p, pid_t program, const char *name, long seconds)
{
    static char before[256];
    char line[256];
    ticker_lock(p);
    if ((*p->own || seconds) && may_show(p, program)) {
        int n = *p->own ? snprintf(line, sizeof line, "\r%.159s\033[K", p->own)
                        : snprintf(line, sizeof line, "\r%.159s: %ld s\033[K", name, seconds);
        if (!p->is_shown || strcmp(line, before))
            put(strcpy(before, line), (size_t)n);
        p->is_shown = true;
    }
    ticker_unlock(p);
}

static time_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static void watch(struct ticker_page *p, pid_t program, const char *name)
{
    struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, program, 0), .events = POLLIN };
    time_t began = now();
    while (end.fd >= 0 && !p->is_over && poll(&end, 1, TICK_MS) <= 0)
        tick(p, program, name, (long)(now() - began));
    ticker_wipe(p);
}

void ticker_run(int argc, char **argv)
{
    if (argc != 3 || strcmp(argv[1], MARK))
        return;
    struct ticker_page *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED, PAGE_FD, 0);
    if (p != MAP_FAILED)
        watch(p, atoi(argv[2]), argv[0]);
    _exit(0);
}

/* ---- starting it ---- */
static struct { int page_fd; const char *path; char *argv[4]; } plan;
static char child_stack[STACK_SIZE], ticker_stack[STACK_SIZE];

static int ticker_main(void *unused)
{
    char *const no_environment[] = { NULL };
    sigset_t mask;
    sigfillset(&mask);
    sigdelset(&mask, SIGTSTP);
    sigdelset(&mask, SIGTTOU);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (fileno(stderr) != STDERR_FILENO)
        dup2(fileno(stderr), STDERR_FILENO);
    dup2(plan.page_fd, PAGE_FD);
    close(STDOUT_FILENO);
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
    execve(plan.path, plan.argv, no_environment);
    _exit(1);
}

static int child_main(void *unused)
{
    clone(ticker_main, ticker_stack + STACK_SIZE, CLONE_VM | CLONE_VFORK, NULL);
    _exit(0);
}

/* The child has no exit signal and is reaped: the program never hears of it. */
static void start_orphan(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = clone(child_main, child_stack + STACK_SIZE, CLONE_VM | CLONE_VFORK, NULL);
    while (child > 0 && waitpid(child, NULL, __WALL) < 0 && errno == EINTR)
        ;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* A program that inherits orphans would get this one. One that was attached to may forbid itself what it takes. */
static bool is_possible(bool is_attached)
{
    int is_reaper = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &is_reaper);
    return getpid() != 1 && !is_reaper && !(is_attached && prctl(PR_GET_SECCOMP));
}

struct ticker_page *ticker_start(const char *path, const char *name, bool is_attached)
{
    static char pid[16];
    struct ticker_page *p = MAP_FAILED;
    plan.page_fd = is_possible(is_attached) ? memfd_create("progress", MFD_CLOEXEC) : -1;
    if (plan.page_fd < 0)
        return NULL;
    if (!ftruncate(plan.page_fd, sizeof *p))
        p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED, plan.page_fd, 0);
    snprintf(pid, sizeof pid, "%d", getpid());
    plan.path = path;
    plan.argv[0] = (char *)name;
    plan.argv[1] = (char *)MARK;
    plan.argv[2] = pid;
    if (p != MAP_FAILED)
        start_orphan();
    close(plan.page_fd);
    return p == MAP_FAILED ? NULL : p;
}
